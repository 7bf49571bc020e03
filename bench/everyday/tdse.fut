-- A wave packet against a rough barrier: leapfrog of real and imaginary parts, a short array and many steps.
def kinetic [n] (f: [n]f64) (i: i64) : f64 =
  let l = if i > 0 then f[i - 1] else 0
  let r = if i < n - 1 then f[i + 1] else 0
  in -0.5 * (l - 2 * f[i] + r)

entry main [n] (steps: i64) (dt: f64) (height: f64) (rough: [n]f64) : ([n]f64, f64, f64) =
  let mid = f64.i64 n / 2
  let width = f64.i64 n / 16
  let v = map2 (\i r -> if i > n / 2 && i < n / 2 + n / 10 then height * r else 0) (iota n) rough
  let envelope i = let d = (f64.i64 i - 0.6 * mid) / width in f64.exp (-0.5 * d * d)
  let re = map (\i -> envelope i * f64.cos (0.7 * f64.i64 i)) (iota n)
  let im = map (\i -> envelope i * f64.sin (0.7 * f64.i64 i)) (iota n)
  let (re, im) = loop (re, im) for _t < steps do
    let re = map3 (\i a v -> a + dt * (kinetic im i + v * im[i])) (iota n) re v
    let im = map3 (\i b v -> b - dt * (kinetic re i + v * re[i])) (iota n) im v
    in (re, im)
  let rho = map2 (\a b -> a * a + b * b) re im
  let all = f64.sum rho
  in (rho, all, f64.sum rho[n / 2:] / all)
