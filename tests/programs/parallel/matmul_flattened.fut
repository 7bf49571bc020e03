-- A matrix product left to the compiler's own choice of parallelism.
-- ==
-- input { [[1, 2], [3, 4]] [[5, 6], [7, 8]] } output { [[19, 22], [43, 50]] }
-- input { empty([2][0]i32) empty([0][3]i32) } output { [[0, 0, 0], [0, 0, 0]] }
-- compiled random input { [17][31]i32 [31][13]i32 } auto output
-- compiled random input { [1][1000]i32 [1000][1]i32 } auto output

entry main [n] [k] [m] (a: [n][k]i32) (b: [k][m]i32) : [n][m]i32 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
