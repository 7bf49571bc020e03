-- Loops over the elements of an array in every thread, and loops within loops.
-- ==
-- entry: polynomial
-- input { [1, 2, 3] [0, 1, -1, 10] } output { [3, 6, 2, 123] }
-- input { empty([0]i32) [5] } output { [0] }

-- ==
-- entry: pairs
-- input { [3i64, 0i64, 5i64] } output { [2i64, 0i64, 35i64] }

entry polynomial (coefficients: []i32) (xs: []i32) : []i32 =
  map (\x -> loop s = 0 for c in coefficients do s * x + c) xs

entry pairs (ns: []i64) : []i64 =
  map (\n -> loop s = 0 for i < n do (loop s for j < i do s + i * j)) ns
