-- Box filter of any radius by an integral image.
entry main [h][w] (r: i64) (img: [h][w]f32) : [h][w]f32 =
  let rows = map (scan (+) 0) img
  let sums = transpose (map (scan (+) 0) (transpose rows))
  let at y x = if y < 0 || x < 0 then 0 else sums[i64.min y (h-1), i64.min x (w-1)]
  in tabulate_2d h w (\y x ->
       let n = f32.i64 ((i64.min (y+r) (h-1) - i64.max (y-r) 0 + 1) * (i64.min (x+r) (w-1) - i64.max (x-r) 0 + 1))
       in (at (y+r) (x+r) - at (y-r-1) (x+r) - at (y+r) (x-r-1) + at (y-r-1) (x-r-1)) / n)
