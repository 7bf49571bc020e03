-- Two images blended along a mask on each level of their Laplacian pyramids, as PolyMage's benchmark: four levels, 1
-- 4 6 4 1. Past the border the nearest pixel is read, at every stage.
import "image"

-- Along columns, then along rows.
def down [h] [w] (f: [h][w]f32) : [h / 2][w / 2]f32 =
  let five at : f32 = (at (-2) + at (-1) * 4 + at 0 * 6 + at 1 * 4 + at 2) * 0.0625
  let down_y = tabulate_2d (h / 2) w (\y x -> five (\d -> f[clamp h (2 * y + d), x]))
  in tabulate_2d (h / 2) (w / 2) (\y x -> five (\d -> down_y[y, clamp w (2 * x + d)]))

def up [n] [m] (h: i64) (w: i64) (f: [n][m]f32) : [h][w]f32 =
  let between i at : f32 =
    if i % 2 == 0
    then (at (i / 2 - 1) + at (i / 2) * 6 + at (i / 2 + 1)) * 0.125
    else (at (i / 2) * 4 + at (i / 2 + 1) * 4) * 0.125
  let up_y = tabulate_2d h m (\y x -> between y (\j -> f[clamp n j, x]))
  in tabulate_2d h w (\y x -> between x (\i -> up_y[y, clamp m i]))

def blend [h] [w] (mask: [h][w]f32) (a: [h][w]f32) (b: [h][w]f32) : [h][w]f32 =
  map3 (map3 (\m p q -> p * m + q * (1 - m))) mask a b

def laplacian [h] [w] [n] [m] (f: [h][w]f32) (coarse: [n][m]f32) : [h][w]f32 = map2 (map2 (-)) f (up h w coarse)

def collapse [h] [w] [n] [m] (coarse: [n][m]f32) (f: [h][w]f32) : [h][w]f32 = map2 (map2 (+)) (up h w coarse) f

entry main [h] [w] (img1: [3][h][w]f32) (img2: [3][h][w]f32) (mask: [h][w]f32) : [3][h][w]f32 =
  let mask1 = down mask
  let mask2 = down mask1
  let mask3 = down mask2
  in map2 (\a0 b0 ->
       let a1 = down a0
       let a2 = down a1
       let a3 = down a2
       let b1 = down b0
       let b2 = down b1
       let b3 = down b2
       let out3 = blend mask3 a3 b3
       let out2 = collapse out3 (blend mask2 (laplacian a2 a3) (laplacian b2 b3))
       let out1 = collapse out2 (blend mask1 (laplacian a1 a2) (laplacian b1 b2))
       in collapse out1 (blend mask (laplacian a0 a1) (laplacian b0 b1))) img1 img2
