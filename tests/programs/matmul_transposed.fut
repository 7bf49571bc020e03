-- Products in which one or both matrices are read by columns.
-- ==
-- input { [[1, 2], [3, 4], [5, 6]] [[7, 8, 9], [1, 2, 3], [4, 5, 6]] }
-- output { [[30, 39, 48], [42, 54, 66]] [[35, 44], [44, 56]] [[5, 11, 17], [11, 25, 39], [17, 39, 61]] }
-- compiled random input { [17][5]i32 [17][17]i32 } auto output

def product [n] [k] [m] (a: [n][k]i32) (b: [k][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_outer)]
  map (\row -> #[sequential_inner] map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a

entry main [n] [k] (a: [n][k]i32) (b: [n][n]i32) : ([k][n]i32, [k][k]i32, [n][n]i32) =
  (product (transpose a) b, product (transpose a) a, product a (transpose a))
