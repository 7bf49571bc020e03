-- Rotation by any amount, of arrays, of rows and of columns.
-- ==
-- entry: whole
-- input { 1i64 [1, 2, 3, 4, 5] } output { [2, 3, 4, 5, 1] }
-- input { -1i64 [1, 2, 3, 4, 5] } output { [5, 1, 2, 3, 4] }
-- input { 12i64 [1, 2, 3, 4, 5] } output { [3, 4, 5, 1, 2] }
-- input { 0i64 empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: both
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[4, 5, 6], [1, 2, 3]] [[3, 1, 2], [6, 4, 5]] }

entry whole [n] (k: i64) (xs: [n]i32) : [n]i32 = rotate k xs

entry both (xs: [][]i32) : ([][]i32, [][]i32) = (rotate 1 xs, map (rotate 2) xs)
