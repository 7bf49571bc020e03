-- Stages of fewer dimensions than the last one, all colours of which scale with what they compute.

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

def blurred [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let rows = tabulate_2d h w (\y x -> img[y, clamp w (x - 1)] + 2 * img[y, x] + img[y, clamp w (x + 2)])
  in tabulate_2d h w (\y x -> rows[clamp h (y - 2), x] + 2 * rows[y, x] + rows[clamp h (y + 1), x])

-- Three colours, which a tile has all of.
entry three [h] [w] (img: [3][h][w]f32) : [3][h][w]f32 =
  let grey = tabulate_2d h w (\y x -> img[0, y, x] + 2 * img[1, y, x] + img[2, y, x])
  let soft = blurred grey
  in tabulate_3d 3 h w (\c y x -> img[c, y, x] * (soft[y, x] - grey[y, x]))

-- As many as there are.
entry any [c] [h] [w] (grey: [h][w]f32) (img: [c][h][w]f32) : [c][h][w]f32 =
  let soft = blurred grey
  in tabulate_3d c h w (\c y x -> img[c, y, x] * soft[y, x])

-- The last stage reads rows and columns the other way round.
entry turned [c] [h] [w] (grey: [h][w]f32) (img: [c][h][w]f32) : [w][c][h]f32 =
  let soft = blurred grey
  in tabulate_3d w c h (\x c y -> img[c, y, x] * soft[y, x])
