-- A product for every pair of a batch.
-- ==
-- input { [[[1, 2], [3, 4]], [[0, 1], [1, 0]]] [[[5, 6], [7, 8]], [[1, 2], [3, 4]]] }
-- output { [[[19, 22], [43, 50]], [[3, 4], [1, 2]]] }
-- input { empty([0][2][3]i32) empty([0][3][1]i32) } output { empty([0][2][1]i32) }
-- input { empty([1][2][0]i32) empty([1][0][1]i32) } output { [[[0], [0]]] }
-- compiled random input { [5][7][11]i32 [5][11][3]i32 } auto output

entry main [b] [n] [k] [m] (xs: [b][n][k]i32) (ys: [b][k][m]i32) : [b][n][m]i32 =
  map2 (\x y -> tabulate_2d n m (\i j -> loop s = 0 for l < k do s + x[i, l] * y[l, j])) xs ys
