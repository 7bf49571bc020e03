-- Loops of the host that read and write single elements.

-- ==
-- entry: search
-- input { [1, 3, 5, 7, 9] 6 } output { 3i64 }
-- input { empty([0]i32) 6 } output { 0i64 }

-- ==
-- entry: relaxed
-- compiled random input { [0][0]f32 } auto output
-- compiled random input { [1][1]f32 } auto output
-- compiled random input { [12][12]f32 } auto output

-- ==
-- entry: running few
-- compiled random input { [0]i32 } auto output
-- compiled random input { [1]i32 } auto output
-- compiled random input { [1000]i32 } auto output

-- ==
-- entry: outside
-- input { [1, 3, 5] 3i64 } output { 9 }
-- input { [1, 3, 5] 4i64 } error: Index \[3\] out of bounds

entry search [n] (xs: [n]i32) (q: i32) : i64 =
  (loop (lo, hi) = (0i64, n) while lo < hi do let m = (lo + hi) / 2 in if xs[m] < q then (m + 1, hi) else (lo, m)).0

entry relaxed [k] (a: [k][k]f32) : [k]f32 =
  loop g = map (\r -> 1 + f32.sum r) a for _i < 3i64 do
    loop g for i < k do
      let s = loop s = 1f32 for j < k do if i == j then s else s + a[i, j] / (1 + g[j])
      in g with [i] = s

entry running [n] (xs: [n]i32) : [n]i32 =
  loop ys = replicate n 0 for i < n do ys with [i] = (if i == 0 then 0 else ys[i - 1]) + xs[i]

entry few [n] (xs: [n]i32) : [n]i32 =
  loop ys = map (+ 1) xs for i < i64.min n 3 do ys with [i] = ys[n - 1 - i] * 2

entry outside [n] (xs: [n]i32) (k: i64) : i32 = loop s = 0 for i < k do s + xs[i]
