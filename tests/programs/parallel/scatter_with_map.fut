-- A map whose results go to an array and, scattered, into another.
-- ==
-- input { [0, 0, 0, 0] [3i64, 1i64] [5, 6] } output { [0, 13, 0, 13] [13, 13] 26 }
-- input { [9] empty([0]i64) empty([0]i32) } output { [9] empty([0]i32) 0 }

entry main [n] [k] (dest: *[k]i32) (is: [n]i64) (xs: [n]i32) : ([k]i32, [n]i32, i32) =
  let ys = map2 (\x i -> x * 2 + i32.i64 i) xs is
  in (scatter dest is ys, ys, i32.sum ys)
