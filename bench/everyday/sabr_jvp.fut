-- Calibrates a SABR smile per expiry: damped Gauss-Newton on three parameters, the Jacobian by jvp.
type params = (f64, f64, f64)

def vol (f: f64) (t: f64) ((a, r, v): params) (strike: f64) : f64 =
  let alpha = f64.exp a
  let rho = 0.95 * f64.tanh r
  let nu = f64.exp v
  let fk = f64.sqrt (f * strike)
  let lk = f64.log (f / strike)
  let z = nu / alpha * f64.sqrt fk * lk
  let zx =
    if f64.abs z < 1e-4 then 1 - rho * z / 2
    else z / f64.log ((f64.sqrt (1 - 2 * rho * z + z * z) + z - rho) / (1 - rho))
  let corr = alpha * alpha / (96 * fk) + rho * nu * alpha / (8 * f64.sqrt fk) + (2 - 3 * rho * rho) / 24 * nu * nu
  in alpha / (f64.sqrt fk * (1 + lk * lk / 96)) * zx * (1 + corr * t)

-- Cramer's rule
def solve3 (m: [3][3]f64) (b: [3]f64) : [3]f64 =
  let det (p: [3]f64) (q: [3]f64) (s: [3]f64) =
    p[0] * (q[1] * s[2] - q[2] * s[1]) - p[1] * (q[0] * s[2] - q[2] * s[0]) + p[2] * (q[0] * s[1] - q[1] * s[0])
  let d = det m[0] m[1] m[2]
  in [det b m[1] m[2] / d, det m[0] b m[2] / d, det m[0] m[1] b / d]

def main [n] [k] (iters: i32) (expiry: [n]f64) (noise: [n][k]f64) : ([n][3]f64, f64) =
  let strikes = tabulate k (\j -> 0.6 + 0.8 * (f64.i64 j + 0.5) / f64.i64 k)
  let fit t row =
    let market = map2 (\s u -> 0.2 + 0.15 * (s - 1) * (s - 1) + 0.02 * (u - 0.5)) strikes row
    let f = vol 1 (0.25 + 2 * t)
    let p =
      loop (p: params) = (-1.6, -0.1, -0.7) for _i < iters do
        let resid = map2 (\s m -> f p s - m) strikes market
        let along d = map (\s -> jvp (\q -> f q s) p d) strikes
        let jac = [along (1, 0, 0), along (0, 1, 0), along (0, 0, 1)]
        let dot u w = f64.sum (map2 (*) u w)
        let jtj = tabulate_2d 3 3 (\i j -> dot jac[i] jac[j] + (if i == j then 1e-3 else 0))
        let step = solve3 jtj (map (\g -> dot g resid) jac)
        let clip x = f64.max (-0.3) (f64.min 0.3 x)
        in (p.0 - clip step[0], p.1 - clip step[1], f64.max (-4) (p.2 - clip step[2]))
    in ([p.0, p.1, p.2], f64.sum (map2 (\s m -> (f p s - m) ** 2) strikes market))
  let (ps, errs) = unzip (map2 fit expiry noise)
  in (ps, f64.sqrt (f64.sum errs / f64.i64 (n * k)))
