-- Updates out of bounds, on the host and of a thread's own array.
-- ==
-- entry: host
-- input { [1, 2] 1i64 } output { [1, 0] }
-- input { [1, 2] 2i64 } error: Index \[2\] out of bounds for array of shape \[2\]

-- ==
-- entry: kernel
-- input { [0i64, 2i64] } output { [[7i64, 0i64, 0i64], [2i64, 2i64, 7i64]] }
-- input { [0i64, 3i64] } error: Index \[3\] out of bounds for array of shape \[3\]

entry host (xs: *[]i32) (i: i64) : []i32 = xs with [i] = 0

entry kernel (is: []i64) : [][3]i64 = map (\i -> replicate 3 i with [i] = 7) is
