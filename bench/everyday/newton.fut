-- Newton's fractal of z^3 - 1.
def main (h: i64) (w: i64) (limit: i32) : [h][w]u8 =
  tabulate_2d h w (\y x ->
    let (a, b, _, k) = loop (a, b, go, k) = (f32.i64 x / f32.i64 w * 4 - 2, f32.i64 y / f32.i64 h * 4 - 2, true, 0) while go && k < limit do
      let a2 = a*a - b*b let b2 = 2*a*b
      let a3 = a2*a - b2*b - 1 let b3 = a2*b + b2*a
      let d = 3*(a2*a2 + b2*b2) + 1e-9
      let na = a - (a3*a2 + b3*b2) / d let nb = b - (b3*a2 - a3*b2) / d
      in (na, nb, (na-a)*(na-a) + (nb-b)*(nb-b) > 1e-8, k + 1)
    in u8.i32 k + (if b > 0.1 then 64 else if b < -0.1 then 128 else 0) + u8.bool (a > 0))
