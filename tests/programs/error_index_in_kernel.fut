-- One thread of many reads out of bounds; the message names index and size.
-- ==
-- input { [1, 2, 3] [0i64, 1i64, 2i64] } output { [2, 3, 4] }
-- input { [1, 2, 3] [0i64, 3i64, 1i64] } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] [-1i64] } error: Index \[-1\] out of bounds for array of shape \[3\]
-- input { empty([0]i32) [0i64] } error: Index \[0\] out of bounds for array of shape \[0\]

entry main (xs: []i32) (is: []i64) : []i32 = map (\i -> xs[i] + 1) is
