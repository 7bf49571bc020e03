-- Two-stage blur as Halide's app: means of three pixels in x, then in y, in integers; the result has two rows and
-- columns less.
entry main [h] [w] (img: [h][w]u16) : [h - 2][w - 2]u16 =
  let blur_x = tabulate_2d h (w - 2) (\y x -> (img[y, x] + img[y, x + 1] + img[y, x + 2]) / 3)
  in tabulate_2d (h - 2) (w - 2) (\y x -> (blur_x[y, x] + blur_x[y + 1, x] + blur_x[y + 2, x]) / 3)
