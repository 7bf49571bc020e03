-- A histogram in which every thread counts for one bin, and one of bins per row.
-- ==
-- entry: whole
-- input { 4i64 [0i64, 1i64, 1i64, 3i64, 1i64, 9i64] } output { [1, 3, 0, 1] }
-- input { 0i64 [0i64, 1i64] } output { empty([0]i32) }
-- input { 3i64 empty([0]i64) } output { [0, 0, 0] }

-- ==
-- entry: rows
-- input { [[0i64, 1i64, 1i64], [2i64, 2i64, 2i64]] } output { [[1, 2, 0], [0, 0, 3]] }

entry whole (k: i64) (xs: []i64) : [k]i32 = tabulate k (\b -> loop c = 0 for x in xs do c + i32.bool (x == b))

entry rows [n] (xss: [n][]i64) : [n][3]i32 =
  map (\xs -> loop h = replicate 3 0 for x in xs do h with [x] = h[x] + 1) xss
