-- Conjugate gradients for damped least squares (CGLS) with a dense matrix: min |Ax - b|^2 + mu |x|^2.
def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

entry main [m][n] (iters: i64) (mu: f64) (a0: [m][n]f64) (b: [m]f64) : ([n]f64, f64) =
  let a = map (map (\v -> v - 0.5)) a0
  let mul (x: [n]f64) : [m]f64 = map (dot x) a
  let mult (y: [m]f64) : [n]f64 = map (dot y) (transpose a)
  let s0 = mult b
  let (x, r, _, _) =
    loop (x, r, p, gamma) = (replicate n 0, b, s0, dot s0 s0) for _i < iters do
      let q = mul p
      let alpha = gamma / (dot q q + mu * dot p p)
      let x = map2 (\x p -> x + alpha * p) x p
      let r = map2 (\r q -> r - alpha * q) r q
      let s = map2 (\t x -> t - mu * x) (mult r) x
      let g = dot s s
      let p = map2 (\s p -> s + g / gamma * p) s p
      in (x, r, p, g)
  in (x, f64.sqrt (dot r r))
