-- Bilateral filter over 5x5 pixels: weights fall with the distance and with the difference. Past the border the
-- nearest pixel is read.
import "image"

def sigma_place : f32 = 1.5
def sigma_value : f32 = 0.1

entry main [h] [w] (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let centre = img[y, x]
    let (values, weights) =
      loop (values, weights) = (0, 0) for dy in -2...2 do
        loop (values, weights) for dx in -2...2 do
          let v = clamped img (y + dy) (x + dx)
          let d = v - centre
          let far = f32.i64 (dy * dy + dx * dx) / (2 * sigma_place * sigma_place)
          let weight = f32.exp (-far - d * d / (2 * sigma_value * sigma_value))
          in (values + weight * v, weights + weight)
    in values / weights)
