-- Asynchronous sample-rate conversion of interleaved stereo i16: a drifting ratio accumulated by a scan in fixed point, cubic Farrow interpolation.
entry main [n][m] (ratio: f32) (pcm: [n][2]i16) (jitter: [m]u8) : ([m][2]f32, f32) =
  let base = i64.f32 (ratio * 1048576)
  -- the read position in units of 2^-20 samples
  let steps = map (\j -> base + i64.u8 j - 128) jitter
  let pos = map2 (-) (scan (+) 0 steps) steps
  let at (i: i64) (c: i64) : f32 = f32.i16 pcm[i64.max 0 (i64.min (n-1) i), c] / 32768
  let farrow (p: i64) (c: i64) : f32 =
    let (i, f) = (p >> 20, f32.i64 (p & 0xfffff) / 1048576)
    let (a, b, d, e) = (at (i-1) c, at i c, at (i+1) c, at (i+2) c)
    let c3 = (e - a) / 6 + (b - d) / 2
    let c2 = (a + d) / 2 - b
    let c1 = d - b / 2 - a / 3 - e / 6
    in ((c3 * f + c2) * f + c1) * f + b
  let out = map (\p -> let q = p % (n << 20) in [farrow q 0, farrow q 1]) pos
  let peak = reduce f32.max 0 (map f32.abs (flatten out))
  in (out, peak)
