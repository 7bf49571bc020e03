-- sRGB pixels to OKLab: lightness and the two opponent axes, and the mean lightness of each row.
def linear (c: f32) : f32 = if c <= 0.04045 then c / 12.92 else ((c + 0.055) / 1.055) ** 2.4

def oklab (r: f32) (g: f32) (b: f32) : [3]f32 =
  let l = (0.41222146 * r + 0.53633255 * g + 0.051445995 * b) ** (1 / 3)
  let m = (0.2119035 * r + 0.6806995 * g + 0.10739696 * b) ** (1 / 3)
  let s = (0.08830246 * r + 0.28171885 * g + 0.6299787 * b) ** (1 / 3)
  in [0.21045426 * l + 0.7936178 * m - 0.004072047 * s,
      1.9779985 * l - 2.4285922 * m + 0.4505937 * s,
      0.025904037 * l + 0.78277177 * m - 0.80867577 * s]

entry main [h] [w] (img: [h][w][3]f32) : ([h][w][3]f32, [h]f32) =
  let lab = map (map (\p -> oklab (linear p[0]) (linear p[1]) (linear p[2]))) img
  in (lab, map (\row -> f32.sum (map (\p -> p[0]) row) / f32.i64 w) lab)
