-- Traced values are passed on unchanged.
-- ==
-- input { 3 [1, 2] } output { 8 [5, 6] }

entry main (x: i32) (xs: []i32) : (i32, []i32) =
  let y = trace (x + 1)
  in (#[trace(before_return)] (y * 2), map (+ y) xs)
