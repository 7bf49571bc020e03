-- Harris' corner response as Halide's app: colour in, no border: the response of pixel (y + 3, x + 3) is element (y,
-- x).
import "image"

def sum3x3 (at: i64 -> i64 -> f32) : f32 =
  at 0 0 + at 1 0 + at 2 0 + at 0 1 + at 1 1 + at 2 1 + at 0 2 + at 1 2 + at 2 2

def diff (a: f32) (b: f32) (c: f32) (d: f32) (e: f32) (f: f32) : f32 =
  let t = 1f32 / 12
  let u = 2f32 / 12
  in a * -t + b * t + c * -u + d * u + e * -t + f * t

entry main [h] [w] (img: [3][h][w]f32) : [h - 6][w - 6]f32 =
  let g = gray img
  let iy = tabulate_2d (h - 2) (w - 2) (\y x ->
    diff g[y, x] g[y + 2, x] g[y, x + 1] g[y + 2, x + 1] g[y, x + 2] g[y + 2, x + 2])
  let ix = tabulate_2d (h - 2) (w - 2) (\y x ->
    diff g[y, x] g[y, x + 2] g[y + 1, x] g[y + 1, x + 2] g[y + 2, x] g[y + 2, x + 2])
  let ixx = map2 (map2 (*)) ix ix
  let iyy = map2 (map2 (*)) iy iy
  let ixy = map2 (map2 (*)) ix iy
  let box f = tabulate_2d (h - 6) (w - 6) (\y x -> sum3x3 (\dy dx -> f[y + 1 + dy, x + 1 + dx]))
  let response sxx syy sxy : f32 =
    let trace = sxx + syy
    in sxx * syy - sxy * sxy - 0.04 * trace * trace
  in map3 (map3 response) (box ixx) (box iyy) (box ixy)
