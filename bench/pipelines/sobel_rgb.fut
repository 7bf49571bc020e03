-- Sobel's edges of three colours side by side, 8 bits; past the border the nearest pixel is read.
import "image"

entry main [h] [w] (img: [h][w][3]u8) : [h][w][3]u8 =
  tabulate_3d h w 3 (\y x c ->
    let at dy dx = f32.u8 img[clamp h (y + dy), clamp w (x + dx), c]
    let a = at (-1) 1 + 2 * at 0 1 + at 1 1 - (at (-1) (-1) + 2 * at 0 (-1) + at 1 (-1))
    let b = at 1 (-1) + 2 * at 1 0 + at 1 1 - (at (-1) (-1) + 2 * at (-1) 0 + at (-1) 1)
    in u8.f32 (f32.min 255 (f32.sqrt (a * a + b * b))))
