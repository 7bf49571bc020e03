-- Maximum over a disk as Halide's app (radius 26): maxima of 1, 2, 4, ... pixels of each column; then, for each
-- column of the disk, the maximum of its height from two of those.
import "image"

def radius : i64 = 26
def slices : i64 = 6

-- How many pixels the disk reaches up and down from its middle row, dx columns from its middle column.
def reach (dx: i64) : i64 =
  let limit = (f32.i64 radius + 0.25) * (f32.i64 radius + 0.25)
  in i64.sum (map (\dy -> i64.bool (f32.i64 (dx * dx + dy * dy) < limit)) (iota (radius + 1)))

-- The largest power of two that is not above n.
def floor_log (n: i64) : i64 = i64.i32 (63 - i64.clz n)

-- Element y of slice s is the maximum of 2^s pixels from y - (radius + 1) on.
def maxima [h] [w] (img: [h][w]f32) : [slices][h + 2 * radius + 2][w]f32 =
  let rows = h + 2 * radius + 2
  let first = tabulate_2d rows w (\y x -> img[clamp h (y - radius - 1), x])
  let all = replicate slices first
  in loop all for s < slices - 1 do
       all with [s + 1] = tabulate_2d rows w (\y x -> f32.max all[s, y, x] all[s, i64.min (rows - 1) (y + (1 << s)), x])

def disk [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let all = maxima img
  let reaches = map (\i -> reach (i - radius)) (iota (2 * radius + 1))
  in tabulate_2d h w (\y x ->
       f32.maximum (map2 (\i t ->
         let s = floor_log (2 * t + 1)
         let column = clamp w (x + i - radius)
         let from = y + radius + 1 - t
         in f32.max all[s, from, column] all[s, from + 2 * t + 1 - (1 << s), column]) (iota (2 * radius + 1)) reaches))

entry main [h] [w] (img: [3][h][w]f32) : [3][h][w]f32 = map disk img
