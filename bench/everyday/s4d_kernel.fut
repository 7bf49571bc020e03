-- Diagonal state-space layer (S4D): kernel from complex poles as a Vandermonde sum, causal convolution per channel, skip and GELU.
type c = (f32, f32)
def cmul ((a, b): c) ((x, y): c) : c = (a * x - b * y, a * y + b * x)
def cexp ((a, b): c) : c = (f32.exp a * f32.cos b, f32.exp a * f32.sin b)
def cdiv ((a, b): c) ((x, y): c) : c =
  let q = x * x + y * y in ((a * x + b * y) / q, (b * x - a * y) / q)

def gelu (x: f32) = 0.5 * x * (1 + f32.tanh (0.79788456 * (x + 0.044715 * x * x * x)))

entry main [h][n][l] (logdt: [h]f32) (cre: [h][n]f32) (cim: [h][n]f32) (skip: [h]f32) (u: [h][l]f32) : ([h][l]f32, [h][l]f32) =
  let kernel (ldt: f32) (re: [n]f32) (im: [n]f32) : [l]f32 =
    let dt = 0.001 * f32.exp (4.6 * ldt)
    let poles : [n]c = tabulate n (\i -> (-0.5, f32.pi * f32.i64 (i % 32)))
    let coef = map3 (\a b p ->
      let z = (p.0 * dt, p.1 * dt)
      let (er, ei) = cexp z
      in cmul (a - 0.5, b - 0.5) (cdiv (er - 1, ei) p)) re im poles
    in tabulate l (\t ->
         2 * f32.sum (map2 (\k p -> (cmul k (cexp (p.0 * dt * f32.i64 t, p.1 * dt * f32.i64 t))).0) coef poles))
  let ks = map3 kernel logdt cre cim
  let conv (k: [l]f32) (x: [l]f32) (d: f32) : [l]f32 =
    tabulate l (\t ->
      let s = loop acc = 0 for j < t + 1 do acc + k[j] * x[t - j]
      in gelu (s + d * x[t]))
  in (map3 conv ks u skip, ks)
