-- Yields, durations and convexities of coupon bonds from their prices, by Newton's method in a while loop.
def sums (coupon: f64) (n: i64) (y: f64) : (f64, f64, f64) =
  let q = 1 / (1 + y / 2)
  let (v, d, c, _) =
    loop (v, d, c, f) = (0, 0, 0, 1) for k < n do
      let f = f * q
      let cash = coupon / 2 + (if k == n - 1 then 100 else 0)
      let t = f64.i64 (k + 1) / 2
      in (v + cash * f, d + t * cash * f, c + t * (t + 0.5) * cash * f, f)
  in (v, d * q, c * q * q)

entry main [m] (coupons: [m]f32) (terms: [m]u8) (prices: [m]f32) : ([m]f64, [m]f64, [m]f64) =
  let bond c n p =
    let coupon = 2 + 6 * f64.f32 c
    let n = 2 + i64.u8 n % 58
    let target = 85 + 30 * f64.f32 p
    let (y, _, _) =
      loop (y, step, i) = (0.05, 1.0, 0i32) while f64.abs step > 1e-10 && i < 30 do
        let (v, d, _) = sums coupon n y
        let step = (v - target) / d
        in (y + step, step, i + 1)
    let (v, d, cx) = sums coupon n y
    in (y, d / v, cx / v)
  in unzip3 (map3 bond coupons terms prices)
