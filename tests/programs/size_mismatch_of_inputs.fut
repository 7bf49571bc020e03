-- Inputs whose sizes must agree, and do not.
-- ==
-- entry: vectors
-- input { [1, 2] [3, 4] } output { [3, 8] }
-- input { [1, 2] [3, 4, 5] } error: Error

-- ==
-- entry: matrices
-- input { [[1, 2]] [[3], [4]] } output { [[-2, -2]] }
-- input { [[1, 2]] [[3], [4], [5]] } error: Error

entry vectors [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (*) xs ys

entry matrices [n] [m] (xs: [n][m]i32) (ys: [m][n]i32) : [n][m]i32 = map2 (map2 (-)) xs (transpose ys)
