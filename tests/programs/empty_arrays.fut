-- Sizes of zero in every position go through kernels, host operations and reshapes.
-- ==
-- entry: through
-- input { empty([0][3]i32) } output { empty([3][0]i32) empty([0]i32) empty([0][3]i32) empty([0]i32) }
-- input { empty([3][0]i32) } output { empty([0][3]i32) empty([0]i32) empty([6][0]i32) [1, 1, 1] }
-- input { empty([0][0]i32) } output { empty([0][0]i32) empty([0]i32) empty([0][0]i32) empty([0]i32) }
-- input { [[1]] } output { [[2]] [1] [[1], [1]] [2] }

-- ==
-- entry: inner
-- input { 3i64 0i64 } output { empty([3][0]i64) empty([3][0][3]bool) empty([0][3]i64) }
-- input { 0i64 3i64 } output { empty([0][3]i64) empty([0][3][0]bool) empty([3][0]i64) }
-- input { 2i64 1i64 } output { [[0i64], [1i64]] [[[true, false]], [[false, true]]] [[0i64, 1i64]] }

entry through [n] (xs: [n][]i32) : ([][]i32, []i32, [][]i32, []i32) =
  (transpose (map (map (+ 1)) xs), flatten xs, xs ++ xs, map (\r -> loop s = 1 for x in r do s + x) xs)

entry inner (n: i64) (m: i64) : ([n][m]i64, [n][m][n]bool, [m][n]i64) =
  let xs = tabulate_2d n m (\i j -> i + j)
  in (xs, tabulate_3d n m n (\i j k -> i + j == k), transpose xs)
