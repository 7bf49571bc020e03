-- f16: arithmetic rounds to eleven bits, comparisons, and conversions to and from the other types.
-- ==
-- entry: arithmetic
-- input { [1.0f16, 2048.0f16, -0.5f16] [0.5f16, 1.0f16, 3.0f16] }
-- output {
--   [1.5f16, 2048.0f16, 2.5f16]
--   [0.5f16, 2047.0f16, -3.5f16]
--   [0.5f16, 2048.0f16, -1.5f16]
--   [2.0f16, 2048.0f16, -0.166626f16]
-- }

-- ==
-- entry: from_others
-- input { [1.0f32, 0.1f32, 70000.0f32, -1e-8f32] }
-- output { [1.0f16, 0.099976f16, f16.inf, -0.0f16] [1.0f16, 0.099976f16, f16.inf, -0.0f16] }

-- ==
-- entry: to_others
-- input { [1.5f16, -2.75f16, 100.0f16] }
-- output { [1.5f32, -2.75f32, 100.0f32] [1.5f64, -2.75f64, 100.0f64] [1, -2, 100] [1i8, -2i8, 100i8] }

-- ==
-- entry: from_integers
-- input { [1, 2049, -3] } output { [1.0f16, 2048.0f16, -3.0f16] }

-- ==
-- entry: functions
-- input { [4.0f16, 2.25f16] } output { [2.0f16, 1.5f16] [4.0f16, 2.0f16] [4.0f16, 2.25f16] }

-- ==
-- entry: compare
-- input { [1.0f16, -1.0f16, 0.0f16] [1.0f16, 1.0f16, -0.0f16] }
-- output { [true, false, true] [false, true, false] [true, true, true] [1.0f16, 1.0f16, -0.0f16] }

entry arithmetic [n] (xs: [n]f16) (ys: [n]f16) : ([n]f16, [n]f16, [n]f16, [n]f16) =
  (map2 (+) xs ys, map2 (-) xs ys, map2 (*) xs ys, map2 (/) xs ys)

entry from_others [n] (xs: [n]f32) : ([n]f16, [n]f16) = (map f16.f32 xs, map (f64.f32 >-> f16.f64) xs)

entry to_others [n] (xs: [n]f16) : ([n]f32, [n]f64, [n]i32, [n]i8) =
  (map f32.f16 xs, map f64.f16 xs, map i32.f16 xs, map i8.f16 xs)

entry from_integers [n] (xs: [n]i32) : [n]f16 = map f16.i32 xs

entry functions [n] (xs: [n]f16) : ([n]f16, [n]f16, [n]f16) = (map f16.sqrt xs, map f16.floor xs, map f16.abs xs)

entry compare [n] (xs: [n]f16) (ys: [n]f16) : ([n]bool, [n]bool, [n]bool, [n]f16) =
  (map2 (==) xs ys, map2 (<) xs ys, map2 (<=) xs ys, map2 f16.max xs ys)
