-- What loops compute in none of their steps reads nothing, however far beyond arrays it would be.
-- ==
-- entry: sums
-- input { [1, 2, 3] 2i64 1i64 } auto output
-- input { [1, 2, 3] 0i64 1i64 } auto output
-- input { [1, 2, 3] 0i64 1000000000000i64 } auto output
-- input { [1, 2, 3] 0i64 -1000000000000i64 } auto output
-- input { [1, 2, 3] 1i64 4i64 } error: out of bounds

-- ==
-- entry: maps
-- input { [1, 2, 3] 2i64 1i64 } auto output
-- input { [1, 2, 3] 0i64 1000000000000i64 } auto output

entry sums [n] (a: [n]i32) (k: i64) (m: i64) : i32 = loop x = 0 for _i < k do x * 3 + i32.sum a[m:]

-- Operations one after the other.
entry maps [n] (a: [n]i32) (k: i64) (m: i64) : [n]i32 =
  loop x = a for _i < k do
    let b = map (\j -> a[m + j] * 2) (iota (n - m))
    let s = scan (+) 0 b
    in map (\y -> y + i32.sum s * i32.maximum b) x
