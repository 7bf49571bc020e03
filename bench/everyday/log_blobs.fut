-- Laplacian-of-Gaussian blobs: five scales by separable Gaussians, a scale-normalised stack, 3x3x3 maxima over space and scale, a strength sum per scale.
def gauss (sigma: f32) (r: i64) : []f32 =
  let k = map (\i -> f32.exp (-0.5 * (f32.i64 (i - r) / sigma) ** 2)) (iota (2*r+1))
  let s = f32.sum k
  in map (/ s) k

def conv_rows [h][w][k] (ker: [k]f32) (img: [h][w]f32) : [h][w]f32 =
  let r = k / 2
  in map (\row -> tabulate w (\x ->
       loop s = 0 for j < k do
         let i = x + j - r
         in if i < 0 || i >= w then s else s + ker[j] * row[i])) img

def lap [h][w] (g: [h][w]f32) : [h][w]f32 =
  let p y x = if y < 0 || x < 0 || y >= h || x >= w then 0 else g[y,x]
  in tabulate_2d h w (\y x -> p (y-1) x + p (y+1) x + p y (x-1) + p y (x+1) - 4 * p y x)

entry main [h][w] (thr: f32) (img: [h][w]u8) : ([5]f32, [h][w]f32) =
  let src = map (map (\p -> f32.u8 p / 255)) img
  let level (i: i64) : [h][w]f32 =
    let sigma = 1.2 * 1.4f32 ** f32.i64 i
    let k = gauss sigma (i64.f32 (f32.ceil (2.5 * sigma)))
    let g = src |> conv_rows k |> transpose |> conv_rows k |> transpose
    in map (map (* (-(sigma*sigma)))) (lap g)
  let stack : [5][h][w]f32 = [level 0, level 1, level 2, level 3, level 4]
  -- how far a sample stands out of its 26 neighbours (continuous, 0 for all but maxima)
  let peak = tabulate_3d 5 h w (\s y x ->
    let v = stack[s,y,x]
    let m = loop m = thr for t < 27 do
      let (a, b, c) = (s + t/9 - 1, y + t/3%3 - 1, x + t%3 - 1)
      in if t != 13 && a >= 0 && a < 5 && b >= 0 && b < h && c >= 0 && c < w
         then f32.max m stack[a,b,c] else m
    in f32.max 0 (v - m))
  let per_scale = map (\l -> reduce (+) 0 (flatten l)) peak
  let best = reduce (map2 (map2 f32.max)) (replicate h (replicate w 0)) peak
  in (per_scale, best)
