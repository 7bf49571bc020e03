-- A recurrence x' = a*x + b solved by a scan over affine functions.
-- ==
-- input { 1 [2, 3, 1] [1, 0, 5] } output { [3, 9, 14] }
-- compiled random input { 3 [1000]i32 [1000]i32 } auto output

entry main [n] (start: i32) (as: [n]i32) (bs: [n]i32) : [n]i32 =
  map (\(a, b) -> a * start + b) (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip as bs))
