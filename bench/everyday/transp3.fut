-- NCHW to NHWC with a scale, and back by another order.
entry main [n][c][h][w] (x: [n][c][h][w]f32) : ([n][h][w][c]f32, [w][n][c][h]f32) =
  (map (\p -> map transpose (transpose p)) x |> map (map (map (map (*2)))),
   transpose (map (\p -> transpose (map transpose p)) x |> map (\p -> p) |> map (map (map (map (+1))))) )
