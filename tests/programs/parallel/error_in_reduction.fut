-- An index error inside a reduction and inside a scan.
-- ==
-- entry: reduction
-- input { [1, 2, 3] [0i64, 2i64] } output { 4 }
-- input { [1, 2, 3] [0i64, 3i64] } error: Index \[3\] out of bounds for array of shape \[3\]

-- ==
-- entry: scan_
-- input { [1, 2, 3] [0i64, 2i64] } output { [1, 4] }
-- input { [1, 2, 3] [-1i64, 2i64] } error: Index \[-1\] out of bounds for array of shape \[3\]

entry reduction (xs: []i32) (is: []i64) : i32 = i32.sum (map (\i -> xs[i]) is)

entry scan_ (xs: []i32) (is: []i64) : []i32 = scan (+) 0 (map (\i -> xs[i]) is)
