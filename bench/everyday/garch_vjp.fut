-- GARCH(1,1) log-likelihood of many series, the gradient of its parameters by vjp through the recursion, and a few ascents.
type par = {omega: f64, alpha: f64, beta: f64}

def loglik [t] (xs: [t]f64) (p: par) : f64 =
  let (ll, _, _) =
    loop (ll, h, prev) = (0, 0.08f64, 0.08f64) for x in xs do
      let h' = p.omega + p.alpha * prev + p.beta * h
      in (ll - 0.5 * (f64.log h' + x * x / h'), h', x * x)
  in ll / f64.i64 t

def bound (lo: f64) (hi: f64) (x: f64) = f64.min hi (f64.max lo x)

entry main [n] [t] (steps: i32) (rate: f64) (raw: [n][t]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  let fit (u: [t]f64) =
    let xs = map (\v -> v - 0.5) u
    let p = loop p : par = {omega = 0.02, alpha = 0.1, beta = 0.6} for _i < steps do
      let g = vjp (loglik xs) p 1
      in {omega = bound 0.005 1 (p.omega + 0.01 * rate * g.omega),
          alpha = bound 0 0.4 (p.alpha + rate * g.alpha),
          beta = bound 0 0.9 (p.beta + rate * g.beta)}
    in (p.omega, p.alpha, p.beta, loglik xs p)
  in unzip4 (map fit raw)
