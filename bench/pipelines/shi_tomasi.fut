-- Shi and Tomasi's corners: the smaller eigenvalue of the structure tensor over 3x3 pixels; past the border the
-- nearest pixel is read, at every stage.
import "image"

def gauss3 [h] [w] (f: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let at dy dx = clamped f (y + dy) (x + dx)
    in (at (-1) (-1) + at (-1) 1 + at 1 (-1) + at 1 1
        + 2 * (at (-1) 0 + at 0 (-1) + at 0 1 + at 1 0) + 4 * at 0 0) / 16)

def sobel_x [h] [w] (f: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let at dy dx = clamped f (y + dy) (x + dx)
    in (at (-1) 1 - at (-1) (-1) + 2 * (at 0 1 - at 0 (-1)) + at 1 1 - at 1 (-1)) / 8)

def sobel_y [h] [w] (f: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let at dy dx = clamped f (y + dy) (x + dx)
    in (at 1 (-1) - at (-1) (-1) + 2 * (at 1 0 - at (-1) 0) + at 1 1 - at (-1) 1) / 8)

def smaller_eigenvalue (xx: f32) (yy: f32) (xy: f32) : f32 =
  let half = (xx - yy) / 2
  in (xx + yy) / 2 - f32.sqrt (half * half + xy * xy)

entry main [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let dx = sobel_x img
  let dy = sobel_y img
  let xx = gauss3 (map2 (map2 (*)) dx dx)
  let yy = gauss3 (map2 (map2 (*)) dy dy)
  let xy = gauss3 (map2 (map2 (*)) dx dy)
  in map3 (map3 smaller_eigenvalue) xx yy xy
