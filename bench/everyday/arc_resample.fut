-- Pen strokes resampled at equal arc length: length scan over all strokes, binary search per sample, tangent and bending, totals per stroke.
def main [n] (m: i64) (pen: [n]u8) (xs: [n]f32) (ys: [n]f32) =
  let start = map2 (\i p -> i == 0 || p < 6) (iota n) pen
  let seglen = tabulate n (\i ->
    if start[i] then 0
    else let dx = f64.f32 xs[i] - f64.f32 xs[i - 1]
         let dy = f64.f32 ys[i] - f64.f32 ys[i - 1]
         in f64.sqrt (dx * dx + dy * dy))
  let along = scan (+) 0 seglen
  let total = if n > 0 then along[n - 1] else 0
  -- the last vertex whose length is not beyond s
  let locate (s: f64) =
    let (lo, _) = loop (lo, hi) = (0, n) while hi - lo > 1 do
                    let mid = (lo + hi) / 2
                    in if along[mid] <= s then (mid, hi) else (lo, mid)
    in lo
  let point j =
    let s = (f64.i64 j + 0.5) * total / f64.i64 m
    let i = locate s
    let i1 = i64.min (n - 1) (i + 1)
    let l = seglen[i1]
    let t = if start[i1] || l <= 0 then 0 else f32.f64 ((s - along[i]) / l)
    in (xs[i] + t * (xs[i1] - xs[i]), ys[i] + t * (ys[i1] - ys[i]), i)
  let (px, py, seg) = if n == 0 then unzip3 (replicate m (0, 0, 0)) else unzip3 (tabulate m point)
  let stroke = map (\k -> k - 1) (scan (+) 0 (map i64.bool start))
  let k = i64.sum (map i64.bool start)
  let lens = reduce_by_index (replicate k 0f64) (+) 0 stroke seglen
  let samples = reduce_by_index (replicate k 0i32) (+) 0 (map (\i -> if n == 0 then -1 else stroke[i]) seg) (replicate m 1)
  in (px, py, map f32.f64 lens, samples)
