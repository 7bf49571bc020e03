-- Decimation of several channels by a windowed low-pass filter, and the power of each output.
def tap (k: i64) (cut: f32) (i: i64) : f32 =
  let t = f32.i64 i - 0.5 * f32.i64 (k - 1)
  let x = f32.pi * cut * t
  let sinc = if f32.abs x < 1e-4 then 1 else f32.sin x / x
  let win = 0.54 - 0.46 * f32.cos (2 * f32.pi * f32.i64 i / f32.i64 (k - 1))
  in cut * sinc * win

entry main [c][n] (by: i64) (k: i64) (x: [c][n]f32) : ([c][]f32, [c]f32) =
  let taps = map (tap k (1 / f32.i64 by)) (iota k)
  let gain = f32.sum taps
  let taps = map (/ gain) taps
  let len = if n >= k then (n - k) / by + 1 else 0
  let y = map (\row -> map (\o -> f32.sum (map2 (*) taps (row[o * by : o * by + k] :> [k]f32))) (iota len)) x
  in (y, map (\r -> f32.sum (map (\v -> v * v) r) / f32.i64 (i64.max 1 len)) y)
