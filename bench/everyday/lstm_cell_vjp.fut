-- The gates of an LSTM cell, elementwise, and their gradients from those of the new state.
type gates = {i: f32, f: f32, g: f32, o: f32, c: f32}

def sigmoid (x: f32) : f32 = 1 / (1 + f32.exp (-x))

def cell (z: gates) : (f32, f32) =
  let c = sigmoid (z.f + 1) * z.c + sigmoid z.i * f32.tanh z.g
  in (sigmoid z.o * f32.tanh c, c)

entry main [b][h] (z: [b][4][h]f32) (c: [b][h]f32) (dh: [b][h]f32) (dc: [b][h]f32)
    : ([b][h]f32, [b][h]f32, [b][4][h]f32, [b][h]f32) =
  let row (z: [4][h]f32) c dh dc =
    let one i f g o c dh dc =
      let ((h', c'), d) = vjp2 cell {i, f, g, o, c} (dh, dc)
      in (h', c', d.i, d.f, d.g, d.o, d.c)
    let r = map3 (\(i, f) (g, o, c) (dh, dc) -> one i f g o c dh dc) (zip z[0] z[1]) (zip3 z[2] z[3] c) (zip dh dc)
    let dz = transpose (map (\t -> [t.2, t.3, t.4, t.5]) r)
    in (map (.0) r, map (.1) r, dz, map (.6) r)
  in unzip4 (map4 row z c dh dc)
