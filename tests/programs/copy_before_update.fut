-- An array that is used again after an update must have been copied.
-- ==
-- input { [1, 2, 3] 1i64 } output { [1, 2, 3] [1, 100, 3] [1, 102, 3] }
-- input { [5] 0i64 } output { [5] [100] [105] }

entry main [n] (xs: [n]i32) (i: i64) : ([n]i32, [n]i32, [n]i32) =
  let ys = copy xs with [i] = 100
  let zs = copy ys with [i] = ys[i] + xs[i]
  in (xs, ys, zs)
