-- Gradient (vjp) of the log-likelihood of self-exciting Hawkes processes, one parameter triple and event sequence per row.
type params = (f64, f64, f64)

def loglik [n] (dts: [n]f64) (end: f64) ((mu, alpha, beta): params) : f64 =
  let (ll, _, _) =
    loop (ll, excite, t) = (0, 0, 0) for dt in dts do
      let excite = f64.exp (-(beta * dt)) * excite
      let t = t + dt
      let gain = f64.log (mu + alpha * excite)
      let loss = alpha / beta * (1 - f64.exp (-(beta * (end - t))))
      in (ll + gain - loss, excite + 1, t)
  in ll - mu * end

def main [n] [p] (rate: f64) (gaps: [p][n]f64) (ps: [p][3]f64) : ([p][3]f64, f64) =
  let grad (gs: [n]f64) (q: [3]f64) =
    let dts = map (\g -> -(f64.log (1 - 0.99 * g)) + 0.001) gs
    let x = (0.1 + q[0], 0.1 + 0.8 * q[1], 0.5 + 2 * q[2])
    let (ll, (a, b, c)) = vjp2 (loglik dts (f64.sum dts)) x 1
    let s = rate / f64.i64 n
    in (ll, [x.0 + s * a, x.1 + s * b, x.2 + s * c])
  let (lls, next) = unzip (map2 grad gaps ps)
  in (next, f64.sum lls / f64.i64 (n * p))
