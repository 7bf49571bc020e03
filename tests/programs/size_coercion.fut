-- Coercions of sizes, checked when the program runs.
-- ==
-- entry: equal
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3] } error: Error

-- ==
-- entry: square
-- input { [1, 2, 3, 4] 2i64 } output { [[1, 2], [3, 4]] }
-- input { [1, 2, 3, 4, 5] 2i64 } error: Error

-- ==
-- entry: in_thread
-- input { [1, 2, 3, 4] 2i64 [0i64, 2i64] } output { [12, 34] }
-- input { [1, 2, 3, 4] 2i64 [0i64, 3i64] } error: Error

entry equal [n] (xs: [n]i32) (ys: []i32) : [n]i32 = map2 (+) xs (ys :> [n]i32)

entry square (xs: []i32) (n: i64) : [n][n]i32 = unflatten (xs :> [n * n]i32)

entry in_thread (xs: []i32) (k: i64) (is: []i64) : []i32 =
  map (\i -> let ys = xs[i:i + k] :> [k]i32 in loop s = 0 for y in ys do s * 10 + y) is
