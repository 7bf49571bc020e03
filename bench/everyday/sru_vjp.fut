-- Simple recurrent unit (elementwise gated recurrence over time): loss and weight gradients by vjp.
def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))

def cell (c: f32) (x: f32) (wf: f32, bf: f32, wx: f32, wr: f32) : (f32, f32) =
  let g = sigmoid (wf * x + bf)
  let c = g * c + (1 - g) * wx * x
  let r = sigmoid (wr * x)
  in (c, r * f32.tanh c + (1 - r) * x)

def loss [t][d] (xs: [t][d]f32) (ys: [t][d]f32) (ws: [d](f32, f32, f32, f32)) : f32 =
  let (_, err) =
    loop (cs, err) = (replicate d 0, replicate d 0) for i < t do
      let (cs, hs) = unzip (map3 cell cs xs[i] ws)
      in (cs, map3 (\e h y -> e + (h - y) * (h - y)) err hs ys[i])
  in f32.sum err / f32.i64 (i64.max 1 (d * t))

def main [t][d] (xs: [t][d]f32) (ys: [t][d]f32) (w: [4][d]f32) : (f32, [4][d]f32) =
  let cen a = a * 2 - 1
  let ws = map4 (\a b c e -> (cen a, cen b, cen c, cen e)) w[0] w[1] w[2] w[3]
  let (l, g) = vjp2 (loss xs ys) ws 1
  let (a, b, c, e) = unzip4 g
  in (l, [a, b, c, e])
