-- Histograms of what loops find in windows of an array, of rows, and of tables that all points read.
-- ==
-- entry: windows
-- input { 2i64 [0u8, 1u8, 2u8, 3u8, 0u8, 1u8, 2u8] } output { [0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 0, 0, 0] }
-- input { 3i64 [1u8, 1u8] } output { [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
entry windows [n] (k: i64) (s: [n]u8) : []i32 =
  let word i = loop w = 0 for j < k do (w << 2) | i64.u8 (s[i + j] & 3)
  in hist (+) 0i32 (1 << (2 * k)) (tabulate (i64.max 0 (n - k + 1)) word) (replicate (i64.max 0 (n - k + 1)) 1)

-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64], [0i64, 0i64]] } output { [1i64, 0i64, 0i64, 1i64, 0i64, 0i64, 0i64, 1i64] }
entry rows [n] [m] (xs: [n][m]i64) : [8]i64 =
  hist (+) 0 8 (map (\x -> (loop s = 0 for j < m do s + x[j]) % 8) xs) (replicate n 1)

-- ==
-- entry: nearest
-- input { [0i32, 10i32, 20i32] [1i32, 9i32, 30i32, 12i32] } output { [1i32, 2i32, 1i32] }
entry nearest [k] [n] (centres: [k]i32) (xs: [n]i32) : [k]i32 =
  let at x =
    (loop (best, i) = (i32.highest, 0) for c < k do
       let d = i32.abs (x - centres[c]) in if d < best then (d, c) else (best, i)).1
  in hist (+) 0 k (map at xs) (replicate n 1)

-- Few bins of what threads of a block wait for.
-- ==
-- entry: few
-- input { [1i64, 1i64, 1i64, 2i64, 1i64, 0i64, 1i64] } output { [1i64, 5i64, 1i64] [0.5f32, 2.5f32, 0.5f32] }
entry few [n] (xs: [n]i64) : ([3]i64, [3]f32) =
  (hist (+) 0 3 xs (replicate n 1), hist (+) 0 3 xs (replicate n 0.5))
