-- Results of literal sizes, fewer than a block may have threads: each thread has one.
entry main [n] (a: [n][4]f32) : [2][2]f32 =
  let a = a[:4] :> [4][4]f32
  let b = tabulate_2d 4 2 (\y x -> f32.sqrt (a[y, x] + a[y, x + 1] + a[y, x + 2]))
  in tabulate_2d 2 2 (\y x -> f32.sqrt (b[y, x] + b[y + 1, x] + b[y + 2, x]))
