def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

entry main [n][m] (steps: i64) (img: [n][m]f64) : [n][m]f64 =
  loop img for _s < steps do
    tabulate_2d n m (\y x ->
      0.5 * img[y, x] + 0.125 * (img[clamp n (y - 1), x] + img[clamp n (y + 1), x]
                                 + img[y, clamp m (x - 1)] + img[y, clamp m (x + 1)]))

entry convolve [n][m] (img: [n][m]i32) (k: [3][3]i32) : [n][m]i32 =
  tabulate_2d n m (\y x ->
    i32.sum (map (\i -> i32.sum (map (\j ->
      let yy = y + i - 1 let xx = x + j - 1
      in if yy >= 0 && yy < n && xx >= 0 && xx < m then k[i, j] * img[yy, xx] else 0) (iota 3))) (iota 3)))
