-- In-place updates of slices on the host: contiguous, strided, rows, columns and blocks.
-- ==
-- entry: part
-- input { [1, 2, 3, 4, 5] [10, 20] 2i64 } output { [1, 2, 10, 20, 5] }
-- input { [1, 2, 3, 4, 5] empty([0]i32) 5i64 } output { [1, 2, 3, 4, 5] }
-- input { [1, 2, 3, 4, 5] [10, 20] 4i64 } error: out of bounds

-- ==
-- entry: odd
-- input { [1, 2, 3, 4, 5, 6] [10, 20, 30] } output { [1, 10, 3, 20, 5, 30] }
-- input { [1, 2, 3, 4, 5, 6] [10, 20] } error: Error

-- ==
-- entry: row_and_column
-- input { [[1, 2, 3], [4, 5, 6]] [7, 8, 9] [10, 11] } output { [[10, 2, 3], [11, 16, 18]] }

-- ==
-- entry: block
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] [[10, 20], [30, 40]] } output { [[1, 2, 3], [11, 21, 6], [31, 41, 9]] }

entry part [k] (xs: *[]i32) (ys: [k]i32) (i: i64) : *[]i32 = xs with [i:i + k] = ys

entry odd (xs: *[]i32) (ys: []i32) : *[]i32 = xs with [1::2] = ys

entry row_and_column [n] [m] (xs: *[n][m]i32) (row: [m]i32) (column: [n]i32) : *[n][m]i32 =
  (xs with [1] = map (* 2) row) with [:, 0] = column

entry block (xs: *[3][3]i32) (ys: [2][2]i32) : *[3][3]i32 = xs with [1:3, 0:2] = map (map (+ 1)) ys
