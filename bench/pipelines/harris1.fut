-- Harris' corner response on one channel, as PolyMage's benchmark; past the border the nearest pixel is read, at
-- every stage.
import "image"

def sum3x3 [h] [w] (f: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let at dy dx = clamped f (y + dy) (x + dx)
    in at (-1) (-1) + at (-1) 0 + at (-1) 1 + at 0 (-1) + at 0 0 + at 0 1 + at 1 (-1) + at 1 0 + at 1 1)

def sobel_y [h] [w] (f: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let at dy dx = clamped f (y + dy) (x + dx)
    in (at 1 (-1) - at (-1) (-1) + 2 * (at 1 0 - at (-1) 0) + at 1 1 - at (-1) 1) / 12)

def sobel_x [h] [w] (f: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let at dy dx = clamped f (y + dy) (x + dx)
    in (at (-1) 1 - at (-1) (-1) + 2 * (at 0 1 - at 0 (-1)) + at 1 1 - at 1 (-1)) / 12)

entry main [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let ix = sobel_x img
  let iy = sobel_y img
  let sxx = sum3x3 (map2 (map2 (*)) ix ix)
  let syy = sum3x3 (map2 (map2 (*)) iy iy)
  let sxy = sum3x3 (map2 (map2 (*)) ix iy)
  let det = map3 (map3 (\a b c -> a * b - c * c)) sxx syy sxy
  let trace = map2 (map2 (+)) sxx syy
  in map2 (map2 (\d t -> d - 0.04 * t * t)) det trace
