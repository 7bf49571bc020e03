-- Stages whose indices are right for all points if they are for the first and the last, which the host sees to: those of the
-- first may be wrong for the sizes at hand, those of the last also where the first has more elements than are read.
-- ==
-- entry: main
-- input { 3i64 3i64 [1, 2, 3, 4] } output { [4, 6, 9] }
-- input { 5i64 8i64 [1, 2, 3, 4] } output { [4, 6, 9, 11, 12] }
-- input { 0i64 3i64 empty([0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]
-- input { 3i64 3i64 empty([0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]
-- input { 3i64 2i64 [1, 2, 3, 4] } error: Index \[4\] out of bounds for array of shape \[4\]
-- input { 0i64 0i64 [1, 2, 3, 4] } output { empty([0]i32) }

entry main [n] (k: i64) (m: i64) (xs: [n]i32) : [k]i32 =
  let wide = tabulate (m + 2) (\i -> xs[i64.max 0 (i64.min (n - 1) (i - 1))])
  in tabulate k (\i -> wide[i] + wide[i + 1] + wide[i + 2])

-- ==
-- entry: coarser
-- input { 4i64 [1, 2, 3, 4, 5] } output { [2, 2, 3, 4] }
-- input { 10i64 [1, 2, 3, 4, 5] } error: Index \[5\] out of bounds for array of shape \[5\]

entry coarser [n] (k: i64) (xs: [n]i32) : [k]i32 =
  let double = map (* 2) xs
  let mean = tabulate n (\i -> (double[i] + double[i64.max 0 (i - 1)]) / 2)
  in tabulate k (\i -> (mean[i / 2] + mean[(i + 1) / 2]) / 2)
