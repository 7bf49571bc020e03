-- Scalar literals in every notation and type, and array literals on the host and in threads.
-- ==
-- entry: integers
-- input { }
-- output { -128i8 32767i16 10 -9223372036854775808i64 255u8 65535u16 4000000000u32 18446744073709551615u64 97 }

-- ==
-- entry: floats
-- input { } output { 1.5f16 0.001f32 25000000000.0f64 f32.inf -f64.inf f32.nan 12.0f64 }

-- ==
-- entry: arrays
-- input { 3 } output { [3, 4, 6] [[1, 2], [3, 3]] [true, false, true] }

-- ==
-- entry: in_threads
-- input { [0i64, 1i64, 2i64, 3i64] } output { [20, 3, 5, 7] }

entry integers : (i8, i16, i32, i64, u8, u16, u32, u64, i32) =
  (-128i8, 0x7FFFi16, 0b1010i32, -9223372036854775808i64, 255u8, 0xFFFFu16, 4_000_000_000u32, 18446744073709551615u64, 'a')

entry floats : (f16, f32, f64, f32, f64, f32, f64) =
  (1.5f16, 1e-3f32, 2.5e10f64, f32.inf, -f64.inf, f32.nan, 0x1.8p3f64)

entry arrays (x: i32) : ([]i32, [][]i32, []bool) = ([x, x + 1, 2 * x], [[1, 2], [x, x]], [true, false, x == 3])

entry in_threads (is: []i64) : []i32 = map (\i -> [2, 3, 5, 7][i] * (if i == 0 then 10 else 1)) is
