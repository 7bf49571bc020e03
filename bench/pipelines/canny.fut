-- Canny's edges in integers: blur by 1 4 6 4 1, Sobel's derivatives, thinning across the edge, two thresholds: a weak
-- pixel counts beside a strong one. Past the border the nearest pixel is read, at every stage.
import "image"

def low : i32 = 60 * 60
def high : i32 = 140 * 140

def five (at: i64 -> i32) : i32 = at (-2) + 4 * at (-1) + 6 * at 0 + 4 * at 1 + at 2

def blur [h] [w] (img: [h][w]u8) : [h][w]i32 =
  let blur_x = tabulate_2d h w (\y x -> five (\d -> i32.u8 img[y, clamp w (x + d)]))
  in tabulate_2d h w (\y x -> (five (\d -> blur_x[clamp h (y + d), x]) + 128) / 256)

def side (a: i32) (b: i32) (c: i32) : i32 = a + 2 * b + c

entry main [h] [w] (img: [h][w]u8) : [h][w]u8 =
  let smooth = blur img
  let (dx, dy) = unzip (map unzip (tabulate_2d h w (\y x ->
    let at i j = clamped smooth (y + i) (x + j)
    in (side (at (-1) 1) (at 0 1) (at 1 1) - side (at (-1) (-1)) (at 0 (-1)) (at 1 (-1)),
        side (at 1 (-1)) (at 1 0) (at 1 1) - side (at (-1) (-1)) (at (-1) 0) (at (-1) 1)))))
  let strength = map2 (map2 (\a b -> a * a + b * b)) dx dy
  -- The direction of the steepest change, in eighths of a turn: tan 22.5 degrees is about 106 / 256.
  let thin = tabulate_2d h w (\y x ->
    let (a, b) = (dx[y, x], dy[y, x])
    let (i, j) =
      if 256 * i32.abs b < 106 * i32.abs a then (0, 1)
      else if 256 * i32.abs a < 106 * i32.abs b then (1, 0)
      else if (a < 0) == (b < 0) then (1, 1) else (1, -1)
    let s = strength[y, x]
    in if s >= clamped strength (y + i) (x + j) && s > clamped strength (y - i) (x - j) then s else 0)
  in tabulate_2d h w (\y x ->
       let strong dy dx = clamped thin (y + dy) (x + dx) >= high
       let beside = strong (-1) (-1) || strong (-1) 0 || strong (-1) 1 || strong 0 (-1) || strong 0 1
                    || strong 1 (-1) || strong 1 0 || strong 1 1
       let s = thin[y, x]
       in if s >= high || (s >= low && beside) then 255 else 0)
