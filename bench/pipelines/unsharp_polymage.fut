-- Unsharp mask as PolyMage's benchmark: 1 4 6 4 1 along columns, then along rows, on each channel; where the
-- difference passes a threshold, the sharpened value is taken. The input has two more pixels on each side.
def five (at: i64 -> f32) : f32 = (at 0 + at 1 * 4 + at 2 * 6 + at 3 * 4 + at 4) * 0.0625

def weight : f32 = 3
def threshold : f32 = 0.001

def channel [h] [w] (img: [h][w]f32) : [h - 4][w - 4]f32 =
  let blur_y = tabulate_2d (h - 4) w (\y x -> five (\d -> img[y + d, x]))
  let blur_x = tabulate_2d (h - 4) (w - 4) (\y x -> five (\d -> blur_y[y, x + d]))
  let sharpen = tabulate_2d (h - 4) (w - 4) (\y x -> img[y + 2, x + 2] * (1 + weight) - blur_x[y, x] * weight)
  in tabulate_2d (h - 4) (w - 4) (\y x ->
       let v = img[y + 2, x + 2]
       in if f32.abs (v - blur_x[y, x]) < threshold then v else sharpen[y, x])

entry main [h] [w] (img: [3][h][w]f32) : [3][h - 4][w - 4]f32 = map channel img
