-- A lens in software: radial distortion with chromatic aberration (bilinear), cos^4 vignetting, motion blur along a direction, noise from a hash.
type pixel = { r: f32, g: f32, b: f32 }

def zero: pixel = { r = 0, g = 0, b = 0 }
def lift2 (f: f32 -> f32 -> f32) (p: pixel) (q: pixel): pixel = { r = f p.r q.r, g = f p.g q.g, b = f p.b q.b }
def times (s: f32) (p: pixel): pixel = { r = s * p.r, g = s * p.g, b = s * p.b }

def bilinear [h][w] 'a (mix: f32 -> a -> a -> a) (img: [h][w]a) (y: i64, x: i64) (dy: f32, dx: f32): a =
  let (ey, ex) = (f32.floor dy, f32.floor dx)
  let (fy, fx) = (dy - ey, dx - ex)
  let row k = i64.max 0 (i64.min (h - 1) (y + i64.f32 ey + k))
  let column k = i64.max 0 (i64.min (w - 1) (x + i64.f32 ex + k))
  let (y0, y1, x0, x1) = (row 0, row 1, column 0, column 1)
  in #[unsafe] mix fy (mix fx img[y0, x0] img[y0, x1]) (mix fx img[y1, x0] img[y1, x1])

def mixf (t: f32) (a: f32) (b: f32) = a + t * (b - a)
def mixp (t: f32) = lift2 (mixf t)

def hash (i: u32): f32 =
  let i = (i ^ (i >> 16)) * 0x7feb352d
  let i = (i ^ (i >> 15)) * 0x846ca68b
  in f32.u32 ((i ^ (i >> 16)) >> 8) / 16777216

entry main [h][w] (k1: f32) (angle: f32) (samples: i64) (red: [h][w]f32) (green: [h][w]f32) (blue: [h][w]f32)
  : ([h][w]f32, [h][w]f32, [h][w]f32) =
  let (cy, cx) = (f32.i64 h / 2, f32.i64 w / 2)
  let norm = 1 / (cy * cy + cx * cx)
  let lens [h][w] (k: f32) (plane: [h][w]f32) (y: i64) (x: i64): f32 =
    let (dy, dx) = (f32.i64 y - cy, f32.i64 x - cx)
    let s = k * (dy * dy + dx * dx) * norm
    in bilinear mixf plane (y, x) (s * dy, s * dx)
  let shade y x: f32 = let r2 = ((f32.i64 y - cy) ** 2 + (f32.i64 x - cx) ** 2) * norm in 1 / ((1 + r2) * (1 + r2))
  let bent = tabulate_2d h w (\y x ->
    times (shade y x) { r = lens (k1 * 1.02) red y x, g = lens k1 green y x, b = lens (k1 * 0.98) blue y x })
  let (sy, sx) = (f32.sin angle, f32.cos angle)
  let blurred = tabulate_2d h w (\y x ->
    let sum = loop acc = zero for k < samples do
      let t = f32.i64 k - f32.i64 (samples - 1) / 2
      in lift2 (+) acc (bilinear mixp bent (y, x) (t * sy, t * sx))
    in times (1 / f32.i64 samples) sum)
  let noisy = tabulate_2d h w (\y x ->
    let p = blurred[y, x]
    let e = 0.02 * (hash (u32.i64 (y * w + x)) - 0.5)
    in (p.r + e, p.g + e, p.b + e))
  in unzip3 (flatten noisy) |> \(r, g, b) -> (unflatten r, unflatten g, unflatten b)
