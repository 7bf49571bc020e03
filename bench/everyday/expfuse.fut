-- Exposure fusion of k bracketed shots: weights of contrast, saturation and well-exposedness, smoothed, merged; then a tone curve by global mean and maximum.
type rgb = (f32, f32, f32)

def grey ((r, g, b): rgb): f32 = 0.299 * r + 0.587 * g + 0.114 * b
def scale (s: f32) ((r, g, b): rgb): rgb = (s * r, s * g, s * b)
def plus (a: rgb) (b: rgb): rgb = (a.0 + b.0, a.1 + b.1, a.2 + b.2)

def exposedness: [256]f32 =
  tabulate 256 (\i -> let d = f32.i64 i / 255 - 0.5 in f32.exp (-12.5 * d * d))

def weight [h][w] (shot: [h][w][3]u8) (y: i64) (x: i64): f32 =
  let f (p: [3]u8) = (f32.u8 p[0] / 255, f32.u8 p[1] / 255, f32.u8 p[2] / 255)
  let lum y x = if y < 0 || x < 0 || y >= h || x >= w then 0.5 else grey (f shot[y, x])
  let c = f shot[y, x]
  let contrast = f32.abs (4 * grey c - lum (y - 1) x - lum (y + 1) x - lum y (x - 1) - lum y (x + 1))
  let m = (c.0 + c.1 + c.2) / 3
  let saturation = f32.sqrt (((c.0 - m) ** 2 + (c.1 - m) ** 2 + (c.2 - m) ** 2) / 3)
  let well = exposedness[i64.u8 shot[y, x, 0]] * exposedness[i64.u8 shot[y, x, 1]] * exposedness[i64.u8 shot[y, x, 2]]
  in (contrast + 0.05) * (saturation + 0.05) * (well + 0.01)

def box [h][w] (r: i64) (a: [h][w]f32): [h][w]f32 =
  let pass [n][m] (a: [n][m]f32) =
    tabulate_2d n m (\y x -> (loop s = 0 for k in -r...r do s + a[y, i64.max 0 (i64.min (m - 1) (x + k))]) / f32.i64 (2 * r + 1))
  in pass a |> transpose |> pass |> transpose

entry main [k][h][w] (shots: [k][h][w][3]u8): ([h][w][3]f32, f32, f32) =
  let weights = map (\s -> box 2 (tabulate_2d h w (weight s))) shots
  let total = reduce (map2 (map2 (+))) (replicate h (replicate w 1e-6)) weights
  let merged = tabulate_2d h w (\y x ->
    let s = loop acc = (0, 0, 0) for i < k do
      let p = shots[i, y, x]
      in plus acc (scale (weights[i, y, x] / total[y, x]) (f32.u8 p[0] / 255, f32.u8 p[1] / 255, f32.u8 p[2] / 255))
    in s)
  let lum = map (map grey) merged
  let mean = f32.sum (map f32.sum lum) / f32.i64 (h * w)
  let top = f32.maximum (map f32.maximum lum)
  let curve c = let c = c * 0.5 / mean in c * (1 + c * mean * mean / (top * top * 0.25)) / (1 + c)
  in (map (map (\(r, g, b) -> [curve r, curve g, curve b])) merged, mean, top)
