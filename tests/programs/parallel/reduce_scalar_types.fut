-- Sums, minima and maxima in every scalar type.
-- ==
-- entry: integers
-- input { [100i8, 100i8] [1u16, 65535u16] [5i64, -7i64] } output { -56i8 100i8 0u16 1u16 -2i64 -7i64 }
-- input { empty([0]i8) empty([0]u16) empty([0]i64) } output { 0i8 -128i8 0u16 65535u16 0i64 9223372036854775807i64 }

-- ==
-- entry: floats
-- input { [1.5f16, 2.5f16] [1.5f32, -2.5f32] [0.25f64, 8.0f64] } output { 4.0f16 -1.0f32 1.5f32 8.25f64 0.25f64 }

-- ==
-- entry: booleans
-- input { [true, true, false] } output { false true 2i64 }
-- input { empty([0]bool) } output { true false 0i64 }

entry integers (as: []i8) (bs: []u16) (cs: []i64) : (i8, i8, u16, u16, i64, i64) =
  (i8.sum as, i8.maximum as, u16.sum bs, u16.minimum bs, i64.sum cs, i64.minimum cs)

entry floats (as: []f16) (bs: []f32) (cs: []f64) : (f16, f32, f32, f64, f64) =
  (f16.sum as, f32.sum bs, f32.maximum bs, f64.sum cs, f64.minimum cs)

entry booleans (xs: []bool) : (bool, bool, i64) = (and xs, or xs, i64.sum (map i64.bool xs))
