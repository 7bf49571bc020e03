-- Nested maps over five dimensions, more than a grid has.
-- ==
-- input { [[[[[1, 2]]], [[[3, 4]]]]] } output { [[[[[3, 5]]], [[[7, 9]]]]] }
-- input { empty([1][2][3][0][5]i32) } output { empty([1][2][3][0][5]i32) }
-- compiled random input { [2][3][5][3][2]i32 } auto output

entry main [a] [b] [c] [d] [e] (xs: [a][b][c][d][e]i32) : [a][b][c][d][e]i32 =
  map (map (map (map (map (\x -> 2 * x + 1))))) xs
