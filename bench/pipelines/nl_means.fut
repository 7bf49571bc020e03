-- Non-local means as Halide's app: patches of 7x7 pixels, searched within 7x7, sigma 0.12. For each shift the squared
-- differences are summed over patches, first in y, then in x.
import "image"

def patch : i64 = 7
def search : i64 = 7
def sigma : f32 = 0.12

-- A polynomial of degree five for the fraction, the exponent from the bits.
def fast_exp (x: f32) : f32 =
  let ln2 = 0.6931471805599453f32
  let k = f32.floor (x / ln2)
  let r = x - k * ln2
  let p = ((0.01314350012789660196 * r + 0.03668965196652099192) * r + 0.16873890085469545053) * r
  let p = ((p + 0.49970514590562437052) * r + 1) * r + 1
  in p * f32.from_bits (u32.i32 (i32.max 0 (i32.min 255 (i32.f32 k + 127))) << 23)

entry main [h] [w] (img: [3][h][w]f32) : [3][h][w]f32 =
  let inverse = -1 / (sigma * sigma * f32.i64 patch * f32.i64 patch)
  let (p, q) = (patch / 2, search / 2)
  let shifted dy dx (sums: *[3][h][w]f32) (weights: *[h][w]f32) =
    let difference = tabulate_2d (h + patch - 1) (w + patch - 1) (\i j ->
      let (y, x) = (i - p, j - p)
      let square (c: i64) =
        let d = clamped img[c] y x - clamped img[c] (y + dy) (x + dx)
        in d * d
      in square 0 + square 1 + square 2)
    let sum_y = tabulate_2d h (w + patch - 1) (\y x -> f32.sum (map (\d -> difference[y + d, x]) (iota patch)))
    let sum_x = tabulate_2d h w (\y x -> f32.sum (map (\d -> sum_y[y, x + d]) (iota patch)))
    let weight = map (map (\d -> fast_exp (d * inverse))) sum_x
    let sums = tabulate_3d 3 h w (\c y x -> sums[c, y, x] + weight[y, x] * clamped img[c] (y + dy) (x + dx))
    in (sums, map2 (map2 (+)) weights weight)
  let zero = replicate h (replicate w 0f32)
  let (sums, weights) =
    loop (sums, weights) = (replicate 3 zero, copy zero) for dy < search do
      loop (sums, weights) for dx < search do shifted (dy - q) (dx - q) sums weights
  in map (map2 (map2 (\w s -> f32.max 0 (f32.min 1 (s / w)))) weights) sums
