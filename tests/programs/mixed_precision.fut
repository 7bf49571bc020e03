-- Sums of products of bytes in 32 bits, of 32 bits in 64, and of f16 in f32.
-- ==
-- entry: bytes
-- input { [[100i8, 100i8], [-128i8, 127i8]] [100i8, -100i8] } output { [0, -25500] }

-- ==
-- entry: words
-- input { [[2000000000, 2000000000]] [2, 2] } output { [8000000000i64] }

-- ==
-- entry: halves
-- input { [[2048.0f16, 1.0f16]] [1.0f16, 1.0f16] } output { [2049.0f32] }

entry bytes [n] [m] (a: [n][m]i8) (x: [m]i8) : [n]i32 =
  map (\row -> loop s = 0 for j < m do s + i32.i8 row[j] * i32.i8 x[j]) a

entry words [n] [m] (a: [n][m]i32) (x: [m]i32) : [n]i64 =
  map (\row -> loop s = 0 for j < m do s + i64.i32 row[j] * i64.i32 x[j]) a

entry halves [n] [m] (a: [n][m]f16) (x: [m]f16) : [n]f32 =
  map (\row -> loop s = 0 for j < m do s + f32.f16 row[j] * f32.f16 x[j]) a
