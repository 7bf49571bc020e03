-- Contractions of few results that take many steps each and cannot be split, and such that depend on what was reduced before.
-- ==
-- entry: correlations
-- compiled random input { 5i64 [1000]i32 } auto output
-- compiled random input { 40i64 [33]i32 } auto output
-- compiled random input { 3i64 [0]i32 } auto output

-- ==
-- entry: cheapest
-- compiled random input { [23]u8 } auto output
-- compiled random input { [90]u8 } auto output

-- ==
-- entry: reflections
-- compiled random input { [12][5]f32 } auto output
-- compiled random input { [40][33]f32 } auto output

entry correlations [n] (lags: i64) (xs: [n]i32) : [lags]i32 =
  let mean = i32.sum xs / i32.i64 (i64.max 1 n)
  let ys = map (\x -> x - mean) xs
  in map (\l -> i32.sum (map (\i -> if i + l < n then ys[i] * ys[i+l] else 0) (iota n))) (iota lags)

entry cheapest [n] (dims: [n]u8) : i64 =
  let d = map (\v -> i64.u8 v + 1) dims
  let k = n - 1
  let best =
    loop best = replicate k (replicate k 0i64) for l in 2..<k+1 do
      let row = tabulate (k-l+1) (\i -> i64.minimum (map (\s -> best[i,i+s] + best[i+s+1,i+l-1] + d[i]*d[i+s+1]*d[i+l]) (iota (l-1))))
      in tabulate_2d k k (\i j -> if j == i+l-1 && i < k-l+1 then row[i] else best[i,j])
  in best[0,k-1]

entry reflections [m][n] (a: [m][n]f32) : [m][n]f32 =
  loop a for k < i64.min (m-1) n do
    let x = map (\i -> if i < k then 0 else a[i,k]) (iota m)
    let norm = f32.sqrt (f32.sum (map (\v -> v*v) x))
    let alpha = if a[k,k] > 0 then -norm else norm
    let v = map2 (\i x -> if i == k then x - alpha else x) (iota m) x
    let vv = f32.sum (map (\v -> v*v) v) + 1e-20
    let ws = map (\j -> 2 / vv * f32.sum (map (\i -> v[i] * a[i,j]) (iota m))) (iota n)
    in map2 (\r vi -> map2 (\x w -> x - vi * w) r ws) a v
