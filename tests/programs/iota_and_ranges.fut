-- Ranges with and without steps, upwards and downwards, of several types.
-- ==
-- entry: up
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] [0i64, 3i64, 6i64, 9i64, 12i64] }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) }
-- input { -1i64 } error: Error

-- ==
-- entry: ranges
-- input { 2 9 } output { [2, 3, 4, 5, 6, 7, 8] [2, 3, 4, 5, 6, 7, 8, 9] [9, 7, 5, 3] [2, 5, 8] }
-- input { 2 3 } output { [2] [2, 3] [3] [2] }

-- ==
-- entry: bytes
-- input { 120i8 } output { [120i8, 121i8, 122i8, 123i8, 124i8, 125i8, 126i8, 127i8] }
-- input { 127i8 } output { [127i8] }

-- ==
-- entry: triangle
-- input { 4i64 } output { [0i64, 1i64, 3i64, 6i64] }

entry up (n: i64) : ([]i64, []i64) = (iota n, map (* 3) (iota n))

entry ranges (a: i32) (b: i32) : ([]i32, []i32, []i32, []i32) = (a..<b, a...b, b..b - 2...a, a..a + 3..<b)

entry bytes (a: i8) : []i8 = a...127

-- Thread i sums 0 to i.
entry triangle (n: i64) : [n]i64 = tabulate n (\i -> loop s = 0 for j in 0...i do s + j)
