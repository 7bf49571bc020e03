-- Discount factors, annuities, par swap rates and zero rates of many simulated forward curves: products and sums along each row.
module curve = {
  type t = f64
  def factors [m] (dt: t) (fwd: [m]t) : [m]t = scan (*) 1 (map (\f -> 1 / (1 + f * dt)) fwd)
  def annuity [m] (dt: t) (df: [m]t) : [m]t = scan (+) 0 (map (* dt) df)
}
entry main [n][m] (dt: f64) (rates: [n][m]f64) : ([n][m]f64, [m]f64, [m]f64) =
  let dt = 0.25 + dt
  let one (r: [m]f64) =
    let df = curve.factors dt (map (\x -> 0.001 + 0.08 * x) r)
    let ann = curve.annuity dt df
    let par = map2 (\d a -> (1 - d) / a) df ann
    let zero = map2 (\i d -> -f64.log d / (f64.i64 (i + 1) * dt)) (iota m) df
    in (par, zero)
  let (par, zero) = unzip (map one rates)
  let avg xs = map (\c -> f64.sum c / f64.i64 (i64.max 1 n)) (transpose xs)
  in (par, avg par, avg zero)
