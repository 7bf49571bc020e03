-- Slices out of bounds, on the host and in a kernel.
-- ==
-- entry: host
-- input { [1, 2, 3] 1i64 3i64 } output { [2, 3] }
-- input { [1, 2, 3] 1i64 4i64 } error: Index \[1:4\] out of bounds for array of shape \[3\]

-- ==
-- entry: kernel
-- input { [1, 2, 3] [0i64, 1i64] } output { [[1, 2], [2, 3]] }
-- input { [1, 2, 3] [0i64, 2i64] } error: Index \[2:4\] out of bounds for array of shape \[3\]

entry host (xs: []i32) (i: i64) (j: i64) : []i32 = xs[i:j]

entry kernel (xs: []i32) (is: []i64) : [][2]i32 = map (\i -> xs[i:i + 2] :> [2]i32) is
