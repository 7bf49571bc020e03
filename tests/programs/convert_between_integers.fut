-- Truncation, sign extension and zero extension between all integer types.
-- ==
-- entry: down
-- input { [1i64, -1i64, 128i64, 65535i64, 4294967296i64, -2147483649i64] }
-- output {
--   [1i8, -1i8, -128i8, -1i8, 0i8, -1i8]
--   [1i16, -1i16, 128i16, -1i16, 0i16, -1i16]
--   [1, -1, 128, 65535, 0, 2147483647]
--   [1u8, 255u8, 128u8, 255u8, 0u8, 255u8]
--   [1u16, 65535u16, 128u16, 65535u16, 0u16, 65535u16]
--   [1u32, 4294967295u32, 128u32, 65535u32, 0u32, 2147483647u32]
--   [1u64, 18446744073709551615u64, 128u64, 65535u64, 4294967296u64, 18446744071562067967u64]
-- }

-- ==
-- entry: from_i8
-- input { [-1i8, 127i8, -128i8] }
-- output {
--   [-1i16, 127i16, -128i16]
--   [-1, 127, -128]
--   [-1i64, 127i64, -128i64]
--   [255u8, 127u8, 128u8]
--   [255u16, 127u16, 128u16]
--   [255u32, 127u32, 128u32]
--   [255u64, 127u64, 128u64]
-- }

-- ==
-- entry: from_u8
-- input { [255u8, 127u8, 0u8] }
-- output {
--   [-1i8, 127i8, 0i8]
--   [255i16, 127i16, 0i16]
--   [255, 127, 0]
--   [255i64, 127i64, 0i64]
--   [255u16, 127u16, 0u16]
--   [255u32, 127u32, 0u32]
--   [255u64, 127u64, 0u64]
-- }

-- ==
-- entry: from_u32
-- input { [4294967295u32, 2147483648u32] }
-- output { [-1, -2147483648] [4294967295i64, 2147483648i64] [4294967295u64, 2147483648u64] [-1i8, 0i8] }

entry down [n] (xs: [n]i64) : ([n]i8, [n]i16, [n]i32, [n]u8, [n]u16, [n]u32, [n]u64) =
  (map i8.i64 xs, map i16.i64 xs, map i32.i64 xs, map u8.i64 xs, map u16.i64 xs, map u32.i64 xs, map u64.i64 xs)

entry from_i8 [n] (xs: [n]i8) : ([n]i16, [n]i32, [n]i64, [n]u8, [n]u16, [n]u32, [n]u64) =
  (map i16.i8 xs, map i32.i8 xs, map i64.i8 xs, map u8.i8 xs, map u16.i8 xs, map u32.i8 xs, map u64.i8 xs)

entry from_u8 [n] (xs: [n]u8) : ([n]i8, [n]i16, [n]i32, [n]i64, [n]u16, [n]u32, [n]u64) =
  (map i8.u8 xs, map i16.u8 xs, map i32.u8 xs, map i64.u8 xs, map u16.u8 xs, map u32.u8 xs, map u64.u8 xs)

entry from_u32 [n] (xs: [n]u32) : ([n]i32, [n]i64, [n]u64, [n]i8) =
  (map i32.u32 xs, map i64.u32 xs, map u64.u32 xs, map i8.u32 xs)
