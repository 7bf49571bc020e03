-- Censored Weibull fits for many groups: gradient by vjp, curvature by jvp of it, damped Newton steps in log parameters.
def loglik [n] (ts: [n]f64) (dead: [n]bool) (ls: f64, lk: f64) : f64 =
  let k = f64.exp lk
  in f64.sum (map2 (\t d ->
       let z = k * (f64.log t - ls)
       in (if d then lk - ls + z - (f64.log t - ls) else 0) - f64.exp z) ts dead) / f64.i64 n
     - 0.01 * (ls * ls + lk * lk)

entry main [g][n] (iters: i32) (us: [g][n]f64) : ([g]f64, [g]f64, [g]f64) =
  let fit (k: i64) (u: [n]f64) =
    let shape = 0.8 + f64.i64 (k % 9) * 0.2
    let life = map (\u -> 2 * (-f64.log (1 - 0.999 * u)) ** (1 / shape) + 0.01) u
    let ts = map (f64.min 4) life
    let dead = map (< 4) life
    let f = loglik ts dead
    let grad p = vjp f p 1.0
    let (p, _) = loop ((ls, lk), step) = ((0, 0), 0) for _i < iters do
      let (ga, gb) = grad (ls, lk)
      let (haa, hab) = jvp grad (ls, lk) (1, 0)
      let (_, hbb) = jvp grad (ls, lk) (0, 1)
      -- make the (negated) Hessian safely positive definite
      let a = f64.max 0.05 (-haa)
      let d = f64.max 0.05 (-hbb)
      let b = f64.max (-0.9 * f64.sqrt (a * d)) (f64.min (0.9 * f64.sqrt (a * d)) (-hab))
      let det = a * d - b * b
      let clip x = f64.max (-0.5) (f64.min 0.5 x)
      let da = clip ((d * ga - b * gb) / det)
      let db = clip ((a * gb - b * ga) / det)
      in ((ls + da, lk + db), step + f64.abs da)
    in (f64.exp p.0, f64.exp p.1, f p)
  in unzip3 (map2 fit (iota g) us)
