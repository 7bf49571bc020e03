-- The percentile filter of 7x7 windows, its value found bit by bit by counting; pixels whose window leaves the image keep their value.
entry main [h][w] (rank: i32) (im: [h][w]u8): [h][w]u8 =
  let r = 3i64
  let count_below y x (limit: u8) =
    loop c = 0i32 for i < 2*r+1 do
      loop c for j < 2*r+1 do
        c + i32.bool (im[y+i-r, x+j-r] < limit)
  in tabulate_2d h w (\y x ->
       if y < r || x < r || y >= h-r || x >= w-r
       then im[y, x]
       else loop v = 0u8 for b in [7u8, 6, 5, 4, 3, 2, 1, 0] do
              let t = v | (1 << b)
              in if count_below y x t <= rank then t else v)
