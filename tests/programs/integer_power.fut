-- `**` on integers, by repeated squaring, with wrap-around; a negative exponent is an error.
-- ==
-- entry: signed
-- input { [2, 3, -2, 0, 10, 7] [10, 4, 3, 0, 10, 1] } output { [1024, 81, -8, 1, 1410065408, 7] }
-- input { [2] [-1] } error: Error

-- ==
-- entry: unsigned
-- input { [2u8, 3u8, 255u8] [7u8, 5u8, 2u8] } output { [128u8, 243u8, 1u8] }

entry signed [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (**) xs ys

entry unsigned [n] (xs: [n]u8) (ys: [n]u8) : [n]u8 = map2 (**) xs ys
