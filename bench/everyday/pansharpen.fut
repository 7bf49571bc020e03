-- Pansharpening: four coarse spectral bands get the detail of a fine panchromatic image, gain per band by regression.
def clampi (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def mirror (n: i64) (i: i64) = clampi n (if i < 0 then -i - 1 else if i >= n then 2 * n - 1 - i else i)

def smooth5 [h][w] (a: [h][w]f32) : [h][w]f32 =
  let k = [0.0625f32, 0.25, 0.375, 0.25, 0.0625]
  let gx = tabulate_2d h w (\y x -> f32.sum (map2 (\c j -> c * a[y, mirror w (x + j - 2)]) k (iota 5)))
  in tabulate_2d h w (\y x -> f32.sum (map2 (\c j -> c * gx[mirror h (y + j - 2), x]) k (iota 5)))

def decimate [hp][wp] (h: i64) (w: i64) (a: [hp][wp]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let at j i = a[clampi hp (2 * y + j), clampi wp (2 * x + i)]
    in 0.25 * (at 0 0 + at 0 1 + at 1 0 + at 1 1))

def enlarge [h][w] (hp: i64) (wp: i64) (a: [h][w]f32) : [hp][wp]f32 =
  tabulate_2d hp wp (\y x ->
    let (cy, cx) = (clampi h (y / 2), clampi w (x / 2))
    let ny = clampi h (if y % 2 == 0 then cy - 1 else cy + 1)
    let nx = clampi w (if x % 2 == 0 then cx - 1 else cx + 1)
    in 0.5625 * a[cy, cx] + 0.1875 * (a[ny, cx] + a[cy, nx]) + 0.0625 * a[ny, nx])

def main [h][w][hp][wp] (ms: [4][h][w]f32) (pan: [hp][wp]f32) =
  let low = decimate h w (smooth5 pan)
  let n = f32.i64 (h * w)
  let mean (a: [h][w]f32) = f32.sum (flatten a) / n
  let ml = mean low
  let var = mean (map (map (\v -> (v - ml) * (v - ml))) low)
  let gains = map (\b -> let mb = mean b
                         in mean (map2 (map2 (\v l -> (v - mb) * (l - ml))) b low) / (var + 1e-4)) ms
  let detail = map2 (map2 (-)) pan (enlarge hp wp low)
  let sharp = map2 (\g b -> map2 (map2 (\u dt -> f32.max 0 (f32.min 1 (u + (0.5 + 0.5 * g) * dt)))) (enlarge hp wp b) detail) gains ms
  -- vegetation index from near infrared (3) and red (0)
  let ndvi = map2 (map2 (\r i -> (i - r) / (i + r + 1e-3))) sharp[0] sharp[3]
  in (sharp, ndvi, gains)
