-- Wavelet shrinkage with Daubechies' four-tap filters: periodic 2-D transform of several levels in place, soft thresholds by level from the finest band's mean magnitude, and back.
def s3 : f32 = f32.sqrt 3
def low : [4]f32 = map (/ (4 * f32.sqrt 2)) [1 + s3, 3 + s3, 3 - s3, 1 - s3]
def high : [4]f32 = [low[3], -low[2], low[1], -low[0]]

-- First half: averages; second half: details.
def analyse [n] (x: [n]f32) : [n]f32 =
  let half = n / 2
  in tabulate n (\i ->
       let (f, k) = if i < half then (low, i) else (high, i - half)
       in loop s = 0 for j < 4 do s + f[j] * x[(2 * k + j) % n])

def synthesise [n] (y: [n]f32) : [n]f32 =
  let half = n / 2
  in tabulate n (\i ->
       let p = i % 2
       let k = i / 2
       let k' = (k + half - 1) % half
       in low[p] * y[k] + high[p] * y[half + k] + low[p + 2] * y[k'] + high[p + 2] * y[half + k'])

def both_axes [h] [w] (f: (k: i64) -> [k]f32 -> [k]f32) (a: [h][w]f32) : [h][w]f32 =
  a |> map (f w) |> transpose |> map (f h) |> transpose

def soft (t: f32) (v: f32) : f32 = f32.sgn v * f32.max 0 (f32.abs v - t)

entry main [h] [w] (levels: i64) (strength: f32) (img: [h][w]f32) : ([h][w]f32, f32, [levels]f32) =
  let coeff =
    loop a = copy img for l < levels do
      let (bh, bw) = (h >> l, w >> l)
      let block = both_axes (\k -> analyse : [k]f32 -> [k]f32) (copy a[0:bh, 0:bw])
      in a with [0:bh, 0:bw] = block
  let finest = coeff[h / 2:, w / 2:]
  let sigma = f32.sum (map (\r -> f32.sum (map f32.abs r)) finest) / f32.i64 ((h - h / 2) * (w - w / 2))
  let level_of y x =
    -- the level whose detail bands hold coefficient (y, x); levels for the coarse average
    loop l = 0 while l < levels && y < (h >> (l + 1)) && x < (w >> (l + 1)) do l + 1
  let shrunk =
    tabulate_2d h w (\y x ->
      let l = level_of y x
      in if l == levels then coeff[y, x] else soft (strength * sigma / f32.i64 (1 + l)) coeff[y, x])
  let energy =
    let flat = flatten (tabulate_2d h w (\y x -> (level_of y x, shrunk[y, x] ** 2)))
    in reduce_by_index (replicate levels 0) (+) 0 (map (.0) flat) (map (.1) flat)
  let back =
    loop a = copy shrunk for i < levels do
      let l = levels - 1 - i
      let (bh, bw) = (h >> l, w >> l)
      let block = both_axes (\k -> synthesise : [k]f32 -> [k]f32) (copy a[0:bh, 0:bw])
      in a with [0:bh, 0:bw] = block
  in (back, sigma, map (/ f32.i64 (h * w)) energy)
