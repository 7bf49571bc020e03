-- Histogram equalization.
entry main [h][w] (img: [h][w]u8) : [h][w]u8 =
  let counts = reduce_by_index (replicate 256 0i32) (+) 0 (flatten (map (map i64.u8) img)) (replicate (h*w) 1)
  let cdf = scan (+) 0 counts
  let lo = reduce i32.min i32.highest (map (\c -> if c == 0 then i32.highest else c) cdf)
  let n = i32.i64 (h*w)
  let lut = map (\c -> u8.f32 (f32.round (255 * f32.i32 (i32.max 0 (c - lo)) / f32.i32 (i32.max 1 (n - lo))))) cdf
  in map (map (\p -> lut[i64.u8 p])) img
