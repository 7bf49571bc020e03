-- A scan of more than a block has room for, whose elements follow from something narrower: taken apart once, not for ever.
-- ==
-- entry: wide
-- compiled random input { [0]i32 } auto output
-- compiled random input { [1]i32 } auto output
-- compiled random input { [1000]i32 } auto output

def op (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) (b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11) : (i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) =
  (a0 + b0, a1 + b1, a2 + b2, a3 + b3, a4 + b4, a5 + b5, a6 + b6, a7 + b7, a8 + b8, a9 + b9, a10 + b10, a11 + b11)

entry wide [n] (xs: [n]i32) : [n]i64 =
  let count x k = i64.bool (x % 16 == k)
  in map (\(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) -> a0 << 0 ^ a1 << 5 ^ a2 << 10 ^ a3 << 15 ^ a4 << 20 ^ a5 << 25 ^ a6 << 30 ^ a7 << 35 ^ a8 << 40 ^ a9 << 45 ^ a10 << 50 ^ a11 << 55)
         (scan op (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
               (map (\x -> (count x 0, count x 1, count x 2, count x 3, count x 4, count x 5, count x 6, count x 7, count x 8, count x 9, count x 10, count x 11)) xs))
