-- Deep Sets: a two-layer net on all elements, masked mean over each set, a net on the pooled vectors; loss and gradients by vjp.
type params [d][h][o] = {w1: [h][d]f32, b1: [h]f32, w2: [h][h]f32, v1: [h][h]f32, v2: [o][h]f32}

-- the weights' columns, scaled and summed
def dense [n][m] (w: [m][n]f32) (v: [n]f32) : [m]f32 =
  reduce (map2 (+)) (replicate m 0) (map2 (\x col -> map (* x) col) v (transpose w))
def silu (x: f32) = x / (1 + f32.exp (-x))
def centre [n][m] (w: [n][m]f32) : [n][m]f32 = map (map (\v -> 2 * v - 1)) w

def logits [b][s][d][h][o] (x: [b][s][d]f32) (len: [b]i64) (p: params [d][h][o]) : [b][o]f32 =
  let phi v = map silu (dense p.w2 (map2 (\bias u -> silu (bias + u)) p.b1 (dense p.w1 v)))
  let rho v = dense p.v2 (map silu (dense p.v1 v))
  in map2 (\set l ->
       let weight = tabulate s (\i -> f32.bool (i < l) / f32.i64 l)
       in rho (map (\col -> f32.sum (map2 (*) weight col)) (transpose (map phi set)))) x len

def main [b][s][d][h][o] (x: [b][s][d]f32) (size: [b]u8) (y: [b]u8) (w1: [h][d]f32) (b1: [h]f32) (w2: [h][h]f32) (v1: [h][h]f32) (v2: [o][h]f32) =
  let p0 : params [d][h][o] = {w1 = centre w1, b1 = b1, w2 = centre w2, v1 = centre v1, v2 = centre v2}
  let len = map (\k -> 1 + i64.u8 k % i64.max 1 s) size
  let loss (p: params [d][h][o]) =
    let one (z: [o]f32) (t: u8) =
      let m = f32.maximum z
      in m + f32.log (f32.sum (map (\v -> f32.exp (v - m)) z)) - z[i64.u8 t % o]
    in f32.sum (map2 one (logits x len p) y) / f32.i64 b
  let g = vjp loss p0 1
  in (logits x len p0, loss p0, g.w1, g.b1, g.w2, g.v1, g.v2)
