-- Lens correction: radial distortion undone with a coefficient of its own for each colour, vignetting lifted, bilinear.
def sample [h] [w] (img: [h][w]f32) (y: i64) (x: i64) (dy: f32) (dx: f32) : f32 =
  let (ky, kx) = (f32.floor dy, f32.floor dx)
  let (fy, fx) = (dy - ky, dx - kx)
  let row i = i64.max 0 (i64.min (h - 1) (y + i64.f32 ky + i))
  let col i = i64.max 0 (i64.min (w - 1) (x + i64.f32 kx + i))
  let lerp t a b = a + t * (b - a)
  in #[unsafe] lerp fy (lerp fx img[row 0, col 0] img[row 0, col 1]) (lerp fx img[row 1, col 0] img[row 1, col 1])

entry main [h] [w] (k1: f32) (k2: f32) (spread: f32) (img: [3][h][w]f32) : [3][h][w]f32 =
  let cy = f32.i64 h / 2
  let cx = f32.i64 w / 2
  let norm = 1 / (cy * cy + cx * cx)
  let plane c chan =
    let shift = spread * f32.i64 (c - 1)
    in tabulate_2d h w (\y x ->
         let dy = f32.i64 y - cy
         let dx = f32.i64 x - cx
         let r2 = (dy * dy + dx * dx) * norm
         let m = shift + (1 + shift) * r2 * (k1 + r2 * k2)
         in sample chan y x (m * dy) (m * dx) * (1 + 0.3 * r2 * r2))
  in map2 plane (iota 3) img
