-- Separable Lanczos-3 downscaling of an 8-bit picture, as PIL does it: a table of taps for each axis first, then rows, then columns, clamped to 0..255.
def pi : f32 = f32.pi

def sinc (x: f32) : f32 = if f32.abs x < 1e-4 then 1 else f32.sin (pi * x) / (pi * x)
def lanczos (x: f32) : f32 = if f32.abs x >= 3 then 0 else sinc x * sinc (x / 3)

def tap_count (n: i64) (o: i64) : i64 = 2 * i64.f32 (f32.ceil (3 * f32.max 1 (f32.i64 n / f32.i64 o))) + 1

def taps (k: i64) (n: i64) (o: i64) : ([o]i64, [o][k]f32) =
  let scale = f32.max 1 (f32.i64 n / f32.i64 o)
  in unzip (tabulate o (\i ->
       let centre = (f32.i64 i + 0.5) * f32.i64 n / f32.i64 o
       -- the first tap, in whole numbers: floor (centre) - k/2
       let first = ((2 * i + 1) * n) / (2 * o) - k / 2
       let raw = tabulate k (\j ->
         let p = first + j
         in if p < 0 || p >= n then 0 else lanczos ((f32.i64 p + 0.5 - centre) / scale))
       let total = f32.sum raw
       in (first, map (/ total) raw)))

def clampi (lo: i64) (hi: i64) (x: i64) = i64.max lo (i64.min hi x)

entry main [h] [w] (oh: i64) (ow: i64) (img: [h][w]u8) : [oh][ow]f32 =
  let kx = tap_count w ow
  let ky = tap_count h oh
  let (fx, wx) = taps kx w ow
  let (fy, wy) = taps ky h oh
  let horizontal =
    map (\row ->
           map2 (\first ws ->
                   loop acc = 0f32 for j < kx do
                     acc + ws[j] * f32.u8 row[clampi 0 (w - 1) (first + j)])
                fx wx)
        img
  in tabulate_2d oh ow (\y x ->
       let s = loop acc = 0f32 for j < ky do
                 acc + wy[y, j] * horizontal[clampi 0 (h - 1) (fy[y] + j), x]
       in f32.max 0 (f32.min 255 s))
