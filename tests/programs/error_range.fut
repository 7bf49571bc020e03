-- Ranges that cannot be: negative sizes and steps of zero.
-- ==
-- entry: size
-- input { 3i64 } output { [1i64, 2i64, 3i64] }
-- input { -2i64 } error: Range 0..1..<-2 is invalid

-- ==
-- entry: step
-- input { 2i64 } output { [1i64, 3i64, 5i64] }
-- input { 0i64 } error: Range 0..0..<6 is invalid

entry size (n: i64) : []i64 = map (+ 1) (iota n)

entry step (s: i64) : []i64 = map (+ 1) (0..s..<6)
