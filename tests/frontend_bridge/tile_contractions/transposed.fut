-- Products of all of these matrices with all of those, which are transposed, all square.
entry main [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) : [m][m][n][n]f32 =
  map (\x -> map (\y -> map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose y)) x) ys) xs
