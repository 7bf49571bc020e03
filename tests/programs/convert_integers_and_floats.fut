-- From integers to floats and back, towards zero, unsigned ones above the signed range included, and what is beyond the
-- integers.
-- ==
-- entry: to_floats
-- input { [0i64, 16777217i64, -9007199254740993i64] }
-- output { [0.0f32, 16777216.0f32, -9007199254740992.0f32] [0.0f64, 16777217.0f64, -9007199254740992.0f64] }

-- ==
-- entry: unsigned_to_floats
-- input { [0u64, 18446744073709551615u64, 9223372036854775808u64] }
-- output {
--   [0.0f32, 18446744073709551616.0f32, 9223372036854775808.0f32]
--   [0.0f64, 18446744073709551616.0f64, 9223372036854775808.0f64]
-- }

-- ==
-- entry: to_integers
-- input { [0.0, 1.9, -1.9, 100.5, -100.5] }
-- output {
--   [0i8, 1i8, -1i8, 100i8, -100i8]
--   [0i16, 1i16, -1i16, 100i16, -100i16]
--   [0, 1, -1, 100, -100]
--   [0i64, 1i64, -1i64, 100i64, -100i64]
-- }
-- input { [3e9f64, -3e9f64, 1e20f64, -1e20f64, f64.inf, -f64.inf, f64.nan] }
-- output {
--   [-1i8, 0i8, -1i8, 0i8, 0i8, 0i8, 0i8]
--   [-1i16, 0i16, -1i16, 0i16, 0i16, 0i16, 0i16]
--   [2147483647, -2147483648, 2147483647, -2147483648, 0, 0, 0]
--   [3000000000i64, -3000000000i64, 9223372036854775807i64, -9223372036854775808i64, 0i64, 0i64, 0i64]
-- }

-- ==
-- entry: to_unsigned
-- input { [0.5f64, 255.9f64, 200.0f64] }
-- output { [0u8, 255u8, 200u8] [0u16, 255u16, 200u16] [0u32, 255u32, 200u32] [0u64, 255u64, 200u64] }
-- input { [3e9f64, -1.0f64, -3e9f64, 1e20f64] }
-- output {
--   [0u8, 255u8, 0u8, 255u8] [24064u16, 65535u16, 0u16, 65535u16] [3000000000u32, 4294967295u32, 2147483648u32, 4294967295u32]
--   [3000000000u64, 18446744073709551615u64, 18446744070709551616u64, 18446744073709551615u64]
-- }

-- ==
-- entry: between_floats
-- input { [1.1f64, 1e40f64, -0.0f64] } output { [1.1f32, f32.inf, -0.0f32] [1.100000023841858f64, f64.inf, -0.0f64] }

entry to_floats [n] (xs: [n]i64) : ([n]f32, [n]f64) = (map f32.i64 xs, map f64.i64 xs)

entry unsigned_to_floats [n] (xs: [n]u64) : ([n]f32, [n]f64) = (map f32.u64 xs, map f64.u64 xs)

entry to_integers [n] (xs: [n]f64) : ([n]i8, [n]i16, [n]i32, [n]i64) =
  (map i8.f64 xs, map i16.f64 xs, map i32.f64 xs, map i64.f64 xs)

entry to_unsigned [n] (xs: [n]f64) : ([n]u8, [n]u16, [n]u32, [n]u64) =
  (map u8.f64 xs, map u16.f64 xs, map u32.f64 xs, map u64.f64 xs)

entry between_floats [n] (xs: [n]f64) : ([n]f32, [n]f64) = (map f32.f64 xs, map (f32.f64 >-> f64.f32) xs)
