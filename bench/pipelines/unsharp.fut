-- Unsharp mask as Halide's app: a 7-tap Gaussian (sigma 1.5) of the brightness, in y, then in x; colours scale with
-- the sharpened brightness.
import "image"

def gauss7 (at: i64 -> f32) : f32 =
  0.2659615 * at 0 + 0.21296534 * (at (-1) + at 1) + 0.10934004 * (at (-2) + at 2) + 0.035993975 * (at (-3) + at 3)

entry main [h] [w] (img: [3][h][w]f32) : [3][h][w]f32 =
  let gray = gray img
  let blur_y = tabulate_2d h w (\y x -> gauss7 (\d -> gray[clamp h (y + d), x]))
  let blur_x = tabulate_2d h w (\y x -> gauss7 (\d -> blur_y[y, clamp w (x + d)]))
  let ratio = map2 (map2 (\g b -> (2 * g - b) / g)) gray blur_x
  in map (map2 (map2 (*)) ratio) img
