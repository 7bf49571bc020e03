-- An infinite impulse response of second order on many channels, one after the other in time.
def main [c][n] (b0: f32) (b1: f32) (b2: f32) (a1: f32) (a2: f32) (xs: [c][n]f32) : [c][n]f32 =
  map (\x ->
    let (out, _, _, _, _) = loop (out, x1, x2, y1, y2) = (replicate n 0, 0, 0, 0, 0) for i < n do
      let y = b0*x[i] + b1*x1 + b2*x2 - a1*0.1*y1 - a2*0.1*y2
      in (out with [i] = y, x[i], x1, y, y1)
    in out) xs
