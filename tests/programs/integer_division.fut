-- `/` and `%` round towards minus infinity, `//` and `%%` towards zero; unsigned types have one way only.
-- ==
-- entry: signed
-- input { [7, -7, 7, -7, 0, -2147483648] [2, 2, -2, -2, 5, 3] }
-- output { [3, -4, -4, 3, 0, -715827883] [1, 1, -1, -1, 0, 1] [3, -3, -3, 3, 0, -715827882] [1, -1, 1, -1, 0, -2] }

-- ==
-- entry: signed8
-- input { [127i8, -128i8, -1i8] [10i8, 10i8, 127i8] }
-- output { [12i8, -13i8, -1i8] [7i8, 2i8, 126i8] [12i8, -12i8, 0i8] [7i8, -8i8, -1i8] }

-- ==
-- entry: signed64
-- input { [-9223372036854775808i64, 9223372036854775807i64] [7i64, -7i64] }
-- output {
--   [-1317624576693539402i64, -1317624576693539401i64]
--   [6i64, 0i64]
--   [-1317624576693539401i64, -1317624576693539401i64]
--   [-1i64, 0i64]
-- }

-- ==
-- entry: unsigned
-- input { [7u32, 4294967295u32, 0u32] [2u32, 10u32, 3u32] } output { [3u32, 429496729u32, 0u32] [1u32, 5u32, 0u32] }

-- ==
-- entry: unsigned64
-- input { [18446744073709551615u64, 9u64] [10u64, 18446744073709551615u64] }
-- output { [1844674407370955161u64, 0u64] [5u64, 9u64] }

-- ==
-- entry: host
-- input { -7i64 2i64 } output { -4i64 1i64 -3i64 -1i64 }
-- input { 7i64 0i64 } error: division by zero

entry signed [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry signed8 [n] (xs: [n]i8) (ys: [n]i8) : ([n]i8, [n]i8, [n]i8, [n]i8) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry signed64 [n] (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64, [n]i64, [n]i64) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry unsigned [n] (xs: [n]u32) (ys: [n]u32) : ([n]u32, [n]u32) = (map2 (/) xs ys, map2 (%) xs ys)

entry unsigned64 [n] (xs: [n]u64) (ys: [n]u64) : ([n]u64, [n]u64) = (map2 (/) xs ys, map2 (%) xs ys)

entry host (x: i64) (y: i64) : (i64, i64, i64, i64) = (x / y, x % y, x // y, x %% y)
