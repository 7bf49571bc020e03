-- Nested maps over four dimensions.
-- ==
-- input { [[[[1], [2]]], [[[3], [4]]]] } output { [[[[0], [6]]], [[[3], [16]]]] }
-- input { empty([2][0][3][1]i32) } output { empty([2][0][3][1]i32) }
-- compiled random input { [3][5][2][7]i32 } auto output

entry main [a] [b] [c] [d] (xs: [a][b][c][d]i32) : [a][b][c][d]i32 =
  tabulate a (\i -> tabulate_3d b c d (\j k l -> xs[i, j, k, l] * i32.i64 (i + 2 * j + 3 * k + 5 * l)))
