-- Derivatives of powers have names like `**_lhs` as arguments, which are written like what is consumed.
def power (x: f32) : f32 = jvp (\v -> (v * v) ** 2.5) x 1

entry main [n] [m] (a: [n][m]f32) : [n][m]f32 =
  let blurred =
    tabulate_2d n m (\y x -> a[i64.max 0 (y - 1), x] + a[y, x] + a[i64.min (n - 1) (y + 1), x])
  in tabulate_2d n m (\y x ->
       power (blurred[y, i64.max 0 (x - 1)] + blurred[y, x] + blurred[y, i64.min (m - 1) (x + 1)]))
