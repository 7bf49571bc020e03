-- Fringe profilometry: four phase-shifted images, smoothing, wrapped phase, Itoh unwrapping by scans, plane removal.
def smooth [h][w] (a: [h][w]f32) : [h][w]f32 =
  let refl n i = if i < 0 then i64.min 1 (n - 1) else if i >= n then i64.max 0 (n - 2) else i
  in tabulate_2d h w (\y x ->
       let at dy dx = a[refl h (y + dy), refl w (x + dx)]
       in (at (-1) (-1) + at (-1) 1 + at 1 (-1) + at 1 1
           + 2 * (at 0 (-1) + at 0 1 + at (-1) 0 + at 1 0) + 4 * at 0 0) / 16)

def unwrap [n] (p: [n]f64) : [n]f64 =
  let k = map (\i -> if i == 0 then 0 else f64.round ((p[i - 1] - p[i]) / (2 * f64.pi))) (iota n)
  in map2 (\v j -> v + 2 * f64.pi * j) p (scan (+) 0 k)

def main [h][w] (shots: [4][h][w]f32) =
  let s = map smooth shots
  let phase = tabulate_2d h w (\y x ->
    f64.atan2 (f64.f32 s[3, y, x] - f64.f32 s[1, y, x] + 1e-9) (f64.f32 s[0, y, x] - f64.f32 s[2, y, x]))
  let modul = tabulate_2d h w (\y x ->
    let a = s[3, y, x] - s[1, y, x]
    let b = s[0, y, x] - s[2, y, x]
    in 0.5 * f32.sqrt (a * a + b * b))
  let first = unwrap (map (\r -> if w > 0 then r[0] else 0) phase)
  let rows = map2 (\r f -> let u = unwrap r
                           let o = if w > 0 then f - u[0] else 0
                           in map (+ o) u) phase first
  -- least squares plane on centred coordinates
  let cx = f64.i64 (w - 1) / 2
  let cy = f64.i64 (h - 1) / 2
  let m = f64.sum (map f64.sum rows) / f64.i64 (h * w)
  let sx = map (\r -> f64.sum (map2 (\v x -> v * (f64.i64 x - cx)) r (iota w))) rows |> f64.sum
  let sy = map2 (\r y -> (f64.i64 y - cy) * f64.sum r) rows (iota h) |> f64.sum
  let nx = f64.i64 h * f64.sum (map (\x -> (f64.i64 x - cx) ** 2) (iota w))
  let ny = f64.i64 w * f64.sum (map (\y -> (f64.i64 y - cy) ** 2) (iota h))
  let gx = if nx > 0 then sx / nx else 0
  let gy = if ny > 0 then sy / ny else 0
  let flat = tabulate_2d h w (\y x -> f32.f64 (rows[y, x] - m - gx * (f64.i64 x - cx) - gy * (f64.i64 y - cy)))
  in (flat, modul, gx, gy)
