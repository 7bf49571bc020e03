-- Automatic exposure of a u8 video: a histogram per frame, percentile anchors, smoothing over time, a tone curve table per frame.
def percentile (cdf: [256]i32) (q: i32) : i32 =
  let target = i32.i64 (i64.i32 q * i64.i32 cdf[255] / 100)
  in (.0) (loop (i, go) = (0i64, true) while go && i < 255 do
             if cdf[i] > target then (i, false) else (i+1, true)) |> i32.i64 |> (* 256)

entry main [t][h][w] (speed: i32) (video: [t][h][w]u8) : ([t][h][w]u8, [t]f32) =
  -- random data have no exposure drift: give the frames some
  let frames = tabulate_3d t h w (\k y x ->
    let v = i32.u8 video[k,y,x]
    in u8.i32 (v * i32.i64 (3 + k % 5) / 8))
  let anchors = map (\fr ->
      let hist = reduce_by_index (replicate 256 0i32) (+) 0 (map i64.u8 (flatten fr)) (replicate (h*w) 1)
      let cdf = scan (+) 0 hist
      in (percentile cdf 2, percentile cdf 50, percentile cdf 98)) frames
  let smooth = loop acc = copy anchors for k in 1..<t do
    let (a, b, c) = acc[k-1]
    let (x, y, z) = acc[k]
    let mix p q = p + speed * (q - p) / 256
    in acc with [k] = (mix a x, mix b y, mix c z)
  let luts = map (\(lo, mid, hi) ->
      tabulate 256 (\i ->
        let v = i32.i64 i * 256
        in if v <= lo then 0
           else if v < mid then u8.i32 ((v - lo) * 115 / (mid - lo))
           else if v < hi then u8.i32 (115 + (v - mid) * 140 / (hi - mid))
           else 255)) smooth
  let out = map2 (\lut fr -> map (map (\p -> lut[i64.u8 p])) fr) luts frames
  let means = map (\fr -> f32.i64 (i64.sum (map i64.u8 (flatten fr))) / f32.i64 (h*w)) out
  in (out, means)
