-- Stages that read windows of what was there before, and of other stages one point.

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

-- As many of these as there are columns.
entry columns [w] [h] [d] (widths: [w]f32) (heights: [h]f32) (water: [w][h][d]f32) : [w][h][d]f32 =
  let areas = tabulate_2d w h (\x y -> widths[x] * heights[y])
  in tabulate_3d w h d (\x y z -> areas[x, y] * (water[x, y, clamp d (z - 1)] + water[x, y, z]))

-- As many as there are points.
entry points [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let soft = tabulate_2d h w (\y x -> img[clamp h (y - 1), x] + img[y, x])
  in tabulate_2d h w (\y x -> soft[y, x] * soft[y, x] + img[y, clamp w (x - 1)])
