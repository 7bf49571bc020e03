-- One-way analysis of variance of many features at once: group sums and squares by vector-valued histograms, F statistics, eta squared.
entry main [n][d] (groups: i64) (label: [n]u8) (x: [n][d]f32) : ([d]f64, [d]f64, []i64) =
  let g = 2 + i64.max 0 groups % 30
  let lab = map (\l -> i64.u8 l % g) label
  let y = map2 (\l r -> map (\v -> f64.f32 v + 0.05 * f64.i64 l) r) lab x
  let zero = replicate d 0f64
  let size = hist (+) 0i64 g lab (replicate n 1)
  let s = reduce_by_index (replicate g zero) (map2 (+)) zero lab y
  let sq = map (\c -> f64.sum (map (\v -> v * v) c)) (transpose y)
  let nn = f64.i64 n
  let total = map f64.sum (transpose s)
  let corr = map (\t -> t * t / nn) total
  let between = map2 (\col c -> f64.sum (map2 (\v k -> if k == 0 then 0 else v * v / f64.i64 k) col size) - c)
                     (transpose s) corr
  let sst = map2 (-) sq corr
  let f = map2 (\b t -> (b / f64.i64 (g - 1)) / (1e-6 + f64.max 0 (t - b) / f64.max 1 (nn - f64.i64 g))) between sst
  in (f, map2 (\b t -> b / (t + 1e-6)) between sst, size)
