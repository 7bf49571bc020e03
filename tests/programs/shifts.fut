-- Shifts: to the right arithmetic for signed types, logical for unsigned ones.
-- ==
-- entry: s_i32
-- input { [1, -1, -8, 2147483647, 5] [31, 1, 2, 30, 0] }
-- output { [-2147483648, -2, -32, -1073741824, 5] [0, -1, -2, 1, 5] }

-- ==
-- entry: s_i8
-- input { [1i8, -128i8, 127i8] [7i8, 7i8, 1i8] } output { [-128i8, 0i8, -2i8] [0i8, -1i8, 63i8] }

-- ==
-- entry: s_u8
-- input { [255u8, 128u8, 1u8] [1u8, 7u8, 7u8] } output { [254u8, 0u8, 128u8] [127u8, 1u8, 0u8] }

-- ==
-- entry: s_i64
-- input { [1i64, -1i64] [63i64, 63i64] } output { [-9223372036854775808i64, -9223372036854775808i64] [0i64, -1i64] }

-- ==
-- entry: s_u64
-- input { [1u64, 18446744073709551615u64] [63u64, 63u64] }
-- output { [9223372036854775808u64, 9223372036854775808u64] [0u64, 1u64] }

-- ==
-- entry: s_u16
-- input { [65535u16, 32768u16] [4u16, 15u16] } output { [65520u16, 0u16] [4095u16, 1u16] }

entry s_i32 [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) = (map2 (<<) xs ys, map2 (>>) xs ys)

entry s_i8 [n] (xs: [n]i8) (ys: [n]i8) : ([n]i8, [n]i8) = (map2 (<<) xs ys, map2 (>>) xs ys)

entry s_u8 [n] (xs: [n]u8) (ys: [n]u8) : ([n]u8, [n]u8) = (map2 (<<) xs ys, map2 (>>) xs ys)

entry s_i64 [n] (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) = (map2 (<<) xs ys, map2 (>>) xs ys)

entry s_u64 [n] (xs: [n]u64) (ys: [n]u64) : ([n]u64, [n]u64) = (map2 (<<) xs ys, map2 (>>) xs ys)

entry s_u16 [n] (xs: [n]u16) (ys: [n]u16) : ([n]u16, [n]u16) = (map2 (<<) xs ys, map2 (>>) xs ys)
