-- Means of resamples and their extremes.
entry main [n] (b: i64) (x: [n]f32) : (f32, f32) =
  let ms = tabulate b (\k -> (loop (s, r) = (0, u32.i64 (k*2654435761 + 12345)) for _i < n do
     let r = r*1664525 + 1013904223 in (s + x[i64.u32 (r >> 8) % n], r)).0 / f32.i64 n)
  in (f32.minimum ms, f32.maximum ms)
