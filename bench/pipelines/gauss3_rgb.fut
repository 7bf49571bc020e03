-- Gaussian blur over 3x3 pixels of 8 bits, three colours side by side; past the border the nearest pixel is read.
import "image"

entry main [h] [w] (img: [h][w][3]u8) : [h][w][3]u8 =
  tabulate_3d h w 3 (\y x c ->
    let at dy dx = i32.u8 img[clamp h (y + dy), clamp w (x + dx), c]
    let sum = at (-1) (-1) + 2 * at (-1) 0 + at (-1) 1
              + 2 * at 0 (-1) + 4 * at 0 0 + 2 * at 0 1
              + at 1 (-1) + 2 * at 1 0 + at 1 1
    in u8.i32 ((sum + 8) / 16))
