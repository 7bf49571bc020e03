-- Every thread reads one element at a position that is itself data, from arrays of one and of two dimensions.
-- ==
-- entry: gather
-- input { [10, 20, 30] [2i64, 0i64, 2i64, 1i64] } output { [30, 10, 30, 20] }
-- input { [5] empty([0]i64) } output { empty([0]i32) }
-- compiled random input { [1]i32 [257]i64 } error: out of bounds

-- ==
-- entry: gather_2d
-- input { [[1, 2, 3], [4, 5, 6]] [1i64, 0i64, 1i64] [2i64, 0i64, 1i64] } output { [6, 1, 5] }

-- ==
-- entry: gather_rows
-- input { [[1, 2, 3], [4, 5, 6]] [1i64, 1i64, 0i64] } output { [[4, 5, 6], [4, 5, 6], [1, 2, 3]] }
-- input { empty([2][0]i32) [1i64, 0i64, 0i64] } output { empty([3][0]i32) }

entry gather (xs: []i32) (is: []i64) : []i32 = map (\i -> xs[i]) is

entry gather_2d (xs: [][]i32) (is: []i64) (js: []i64) : []i32 = map2 (\i j -> xs[i, j]) is js

entry gather_rows (xs: [][]i32) (is: []i64) : [][]i32 = map (\i -> xs[i]) is
