-- Threads read a matrix of their own through its transposition.
-- ==
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[6, 10], [22, 26]] }
-- compiled random input { [7][5][3]i32 } auto output

entry main [n] [h] [w] (xs: [n][h][w]i32) : [n][w]i32 =
  map (\m -> map (\column -> loop s = 0 for x in column do 3 * s + x) (transpose m)) xs
