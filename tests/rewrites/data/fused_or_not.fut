-- What becomes one kernel of overlapped tiles, and what must not: rows' sums would be computed again for each tile of a row.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

entry windows [h][w] (img: [h][w]f32) : [h][w]f32 =
  let across = tabulate_2d h w (\y x -> img[y, clamp w (x - 1)] + img[y, clamp w (x + 1)])
  in tabulate_2d h w (\y x -> across[clamp h (y - 1), x] + across[clamp h (y + 1), x])

entry rows [n][m] (xss: [n][m]f32) : [n][m]f32 =
  let sums = map (\xs -> loop a = 0f32 for x in xs do a * 0.5 + x * x) xss
  in map2 (\xs s -> map (/ s) xs) xss sums

entry dear_rows [n][m] (xss: [n][m]f32) (ys: [n]f32) : [n][m]f32 =
  let scales = map (\y -> loop a = y for _i < 100 do f32.sqrt (a * 0.5 + y)) ys
  in map2 (\xs s -> map (/ s) xs) xss scales
