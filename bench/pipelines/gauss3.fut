-- Gaussian blur over 3x3 pixels of 8 bits; past the border the nearest pixel is read.
import "image"

entry main [h] [w] (img: [h][w]u8) : [h][w]u8 =
  tabulate_2d h w (\y x ->
    let at dy dx = i32.u8 (clamped img (y + dy) (x + dx))
    let sum = at (-1) (-1) + 2 * at (-1) 0 + at (-1) 1
              + 2 * at 0 (-1) + 4 * at 0 0 + 2 * at 0 1
              + at 1 (-1) + 2 * at 1 0 + at 1 1
    in u8.i32 ((sum + 8) / 16))
