-- Nested maps over three dimensions, reading data of lower ranks on the way.
-- ==
-- input { [[[1, 2]], [[3, 4]]] [[10], [20]] [100, 200] } output { [[[1001, 1002]], [[4003, 4004]]] }
-- input { empty([0][1][2]i32) empty([0][1]i32) empty([0]i32) } output { empty([0][1][2]i32) }
-- input { empty([1][0][2]i32) empty([1][0]i32) [5] } output { empty([1][0][2]i32) }
-- compiled random input { [7][11][13]i32 [7][11]i32 [7]i32 } auto output
-- compiled random input { [3][1][257]i32 [3][1]i32 [3]i32 } auto output

entry main [a] [b] [c] (xs: [a][b][c]i32) (ys: [a][b]i32) (zs: [a]i32) : [a][b][c]i32 =
  map3 (\xs ys z -> map2 (\xs y -> map (\x -> x + y * z) xs) xs ys) xs ys zs
