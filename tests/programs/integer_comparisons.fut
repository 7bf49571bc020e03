-- Comparisons differ between signed and unsigned types; minimum, maximum, sign and absolute value.
-- ==
-- entry: signed
-- input { [1i8, -1i8, -128i8] [2i8, 1i8, 127i8] }
-- output { [true, true, true] [false, false, false] [true, true, true] [1i8, -1i8, -128i8] [2i8, 1i8, 127i8] }

-- ==
-- entry: unsigned
-- input { [1u8, 255u8, 128u8] [2u8, 1u8, 127u8] }
-- output { [true, false, false] [false, true, true] [true, true, true] [1u8, 1u8, 127u8] [2u8, 255u8, 128u8] }

-- ==
-- entry: signs
-- input { [-5i64, 0i64, 7i64] } output { [-1i64, 0i64, 1i64] [5i64, 0i64, 7i64] }

entry signed [n] (xs: [n]i8) (ys: [n]i8) : ([n]bool, [n]bool, [n]bool, [n]i8, [n]i8) =
  (map2 (<) xs ys, map2 (>=) xs ys, map2 (!=) xs ys, map2 i8.min xs ys, map2 i8.max xs ys)

entry unsigned [n] (xs: [n]u8) (ys: [n]u8) : ([n]bool, [n]bool, [n]bool, [n]u8, [n]u8) =
  (map2 (<) xs ys, map2 (>=) xs ys, map2 (!=) xs ys, map2 u8.min xs ys, map2 u8.max xs ys)

entry signs [n] (xs: [n]i64) : ([n]i64, [n]i64) = (map i64.sgn xs, map i64.abs xs)
