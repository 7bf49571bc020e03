-- A histogram filled by a host loop, one update at a time.
-- ==
-- input { 4i64 [0i64, 1i64, 1i64, 3i64, 1i64] } output { [1, 3, 0, 1] }
-- input { 1i64 empty([0]i64) } output { [0] }
-- input { 2i64 [0i64, 2i64] } error: Index \[2\] out of bounds for array of shape \[2\]

entry main (k: i64) (xs: []i64) : [k]i32 =
  loop h = replicate k 0 for x in xs do h with [x] = h[x] + 1
