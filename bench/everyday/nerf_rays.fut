-- Radiance field: rays sampled through a box, positional encoding, small perceptron, emission-absorption compositing.
def encode (levels: i64) (p: (f32, f32, f32)) : [levels * 6]f32 =
  let axis k = if k == 0 then p.0 else if k == 1 then p.1 else p.2
  in flatten (tabulate_2d levels 6 (\l q ->
                let a = f32.pi * f32.i64 (1 << l) * axis (q % 3)
                in if q < 3 then f32.sin a else f32.cos a))

def dense [k][m] (act: f32 -> f32) (w: [m][k]f32) (x: [k]f32) : [m]f32 =
  map (\r -> act (f32.sum (map2 (*) r x))) w

def relu (x: f32) = f32.max 0 x
def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))

type ray = {o: (f32, f32, f32), d: (f32, f32, f32)}

def camera (h: i64) (w: i64) (angle: f32) (i: i64) (j: i64) : ray =
  let (c, s) = (f32.cos angle, f32.sin angle)
  let u = (f32.i64 j + 0.5) / f32.i64 w - 0.5
  let v = (f32.i64 i + 0.5) / f32.i64 h - 0.5
  let n = 1 / f32.sqrt (u * u + v * v + 1)
  in {o = (-2 * s, 0, -2 * c), d = ((u * c + s) * n, v * n, (c - u * s) * n)}

def along (r: ray) (t: f32) = (r.o.0 + t * r.d.0, r.o.1 + t * r.d.1, r.o.2 + t * r.d.2)

-- Compositing is associative: transmittance and premultiplied colour.
type layer = (f32, f32, f32, f32)
def over (a: layer) (b: layer) : layer =
  (a.0 * b.0, a.1 + a.0 * b.1, a.2 + a.0 * b.2, a.3 + a.0 * b.3)

def render [k][m] (samples: i64) (levels: i64) (w1: [m][k]f32) (w2: [m][m]f32) (w3: [4][m]f32) (r: ray) : layer =
  let dt = 2 / f32.i64 samples
  let sample i =
    let p = along r (1 + dt * (f32.i64 i + 0.5))
    let y = encode levels p :> [k]f32
    let out = y |> dense relu w1 |> dense relu w2 |> dense id w3
    let keep = f32.exp (- dt * relu out[3])
    let a = 1 - keep
    in (keep, a * sigmoid out[0], a * sigmoid out[1], a * sigmoid out[2])
  in reduce over (1, 0, 0, 0) (tabulate samples sample)

entry main [k][m] (h: i64) (w: i64) (samples: i64) (angle: f32) (w1: [m][k]f32) (w2: [m][m]f32) (w3: [4][m]f32)
  : ([h][w][3]f32, [h][w]f32) =
  let centre [a][b] (x: [a][b]f32) = map (map (\v -> 4 * (v - 0.5) / f32.sqrt (f32.i64 m))) x
  let (c1, c2, c3) = (centre w1, centre w2, centre w3)
  let img = tabulate_2d h w (\i j -> render samples (k / 6) c1 c2 c3 (camera h w angle i j))
  in (map (map (\p -> [p.1 + p.0, p.2 + p.0, p.3 + p.0])) img, map (map (.0)) img)
