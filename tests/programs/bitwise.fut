-- Bitwise operators, and functions that count bits or take a product's upper half.
-- ==
-- entry: operators
-- input { [12, -1, 0] [10, 255, 7] } output { [8, 255, 0] [14, -1, 7] [6, -256, 7] [-13, 0, -1] }

-- ==
-- entry: counts32
-- input { [0, 1, -1, 256, 2147483647] } output { [0, 1, 32, 1, 31] [32, 31, 0, 23, 1] [32, 0, 0, 8, 0] }

-- ==
-- entry: counts8
-- input { [0u8, 1u8, 255u8, 16u8] } output { [0, 1, 8, 1] [8, 7, 0, 3] [8, 0, 0, 4] }

-- ==
-- entry: counts64
-- input { [0u64, 1u64, 18446744073709551615u64, 4294967296u64] }
-- output { [0, 1, 64, 1] [64, 63, 0, 31] [64, 0, 0, 32] }

-- ==
-- entry: upper_halves
-- input { [-1, 2147483647, 65536] [2, 2147483647, 65536] } output { [-1, 1073741823, 1] [-2, -1073741826, 65537] }

-- ==
-- entry: upper_halves_u64
-- input { [18446744073709551615u64, 4294967296u64] [18446744073709551615u64, 4294967296u64] }
-- output { [18446744073709551614u64, 1u64] }

entry operators [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map2 (&) xs ys, map2 (|) xs ys, map2 (^) xs ys, map i32.not xs)

entry counts32 [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32) = (map i32.popc xs, map i32.clz xs, map i32.ctz xs)

entry counts8 [n] (xs: [n]u8) : ([n]i32, [n]i32, [n]i32) = (map u8.popc xs, map u8.clz xs, map u8.ctz xs)

entry counts64 [n] (xs: [n]u64) : ([n]i32, [n]i32, [n]i32) = (map u64.popc xs, map u64.clz xs, map u64.ctz xs)

entry upper_halves [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  (map2 i32.mul_hi xs ys, map3 i32.mad_hi xs ys xs)

entry upper_halves_u64 [n] (xs: [n]u64) (ys: [n]u64) : [n]u64 = map2 u64.mul_hi xs ys
