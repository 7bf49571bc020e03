-- All points' checks are known to hold, or one is for the host, before the kernel runs.
def rows [h] [w] (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> f32.sqrt (img[y, x] + img[y, i64.min (w - 1) (x + 1)]))

entry inside [h] [w] (img: [h][w]f32) : [h - 1][w]f32 =
  let b = rows img
  in tabulate_2d (h - 1) w (\y x -> b[y, x] + b[y + 1, x])

entry perhaps [h] [w] (n: i64) (img: [h][w]f32) : [n][w]f32 =
  let b = rows img
  in tabulate_2d n w (\y x -> b[y, x] + b[y + 1, x])
