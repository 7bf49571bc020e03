-- The message for several dimensions, on the host and in a kernel.
-- ==
-- entry: host
-- input { [[1, 2]] 0i64 1i64 } output { 2 }
-- input { [[1, 2]] 1i64 5i64 } error: Index \[1, 5\] out of bounds for array of shape \[1\]\[2\]

-- ==
-- entry: kernel
-- input { [[1, 2]] [0i64] [1i64] } output { [2] }
-- input { [[1, 2]] [0i64] [2i64] } error: Index \[0, 2\] out of bounds for array of shape \[1\]\[2\]

entry host (xs: [][]i32) (i: i64) (j: i64) : i32 = xs[i, j]

entry kernel (xs: [][]i32) (is: []i64) (js: []i64) : []i32 = map2 (\i j -> xs[i, j]) is js
