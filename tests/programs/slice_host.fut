-- Contiguous slices taken on the host, empty ones among them.
-- ==
-- entry: part
-- input { [1, 2, 3, 4, 5] 1i64 4i64 } output { [2, 3, 4] }
-- input { [1, 2, 3, 4, 5] 0i64 5i64 } output { [1, 2, 3, 4, 5] }
-- input { [1, 2, 3, 4, 5] 5i64 5i64 } output { empty([0]i32) }
-- input { [1, 2, 3, 4, 5] 3i64 2i64 } error: out of bounds
-- input { [1, 2, 3, 4, 5] 2i64 6i64 } error: out of bounds

-- ==
-- entry: ends
-- input { [1, 2, 3, 4, 5] 2i64 } output { [1, 2] [3, 4, 5] }
-- input { [1, 2, 3, 4, 5] 5i64 } output { [1, 2, 3, 4, 5] empty([0]i32) }

entry part (xs: []i32) (i: i64) (j: i64) : []i32 = xs[i:j]

entry ends (xs: []i32) (k: i64) : ([]i32, []i32) = (take k xs, drop k xs)
