-- Depth of field from two views, as Halide's app: the cost of each of 32 shifts at each pixel, spread over unsure
-- regions by a pyramid; the cheapest shift is the depth; each pixel then gathers 32 pseudo-random pixels around it
-- whose blur reaches it.
import "image"

def slices : i64 = 32
def focus : i64 = 13
def scale : f32 = 0.5
def samples : i64 = 32
-- The largest blur, and how far depth is needed beyond the image.
def reach : i64 = 9
-- How far coarser levels are needed beyond theirs.
def margin : i64 = 6

-- 1 3 3 1 in x, then in y; `at` reads the finer level.
def down (h: i64) (w: i64) (at: i64 -> i64 -> f32) : [h][w]f32 =
  let half a b c d : f32 = (a + 3 * (b + c) + d) / 8
  let down_x = tabulate_2d (2 * h + 2) w (\i x ->
    let y = i - 1
    in half (at y (2 * x - 1)) (at y (2 * x)) (at y (2 * x + 1)) (at y (2 * x + 2)))
  in tabulate_2d h w (\y x -> half down_x[2 * y, x] down_x[2 * y + 1, x] down_x[2 * y + 2, x] down_x[2 * y + 3, x])

-- At the coordinates (y, x), from a coarser level.
def upsampled [n] [m] (f: [n][m]f32) (y: i64) (x: i64) : f32 =
  let farther i = i / 2 - 1 + 2 * (i % 2)
  let at_y y = 0.25 * f[margin + y, margin + farther x] + 0.75 * f[margin + y, margin + x / 2]
  in 0.25 * at_y (farther y) + 0.75 * at_y (y / 2)

def extended [h] [w] (f: [h][w]f32) : [h + 2 * margin][w + 2 * margin]f32 =
  tabulate_2d (h + 2 * margin) (w + 2 * margin) (\y x -> clamped f (y - margin) (x - margin))

def mean (a: f32) (b: f32) : f32 = a * 0.5 + b * 0.5

def pull [h] [w] [n] [m] (push: [h][w]f32) (coarse: [n][m]f32) : [h + 2 * margin][w + 2 * margin]f32 =
  tabulate_2d (h + 2 * margin) (w + 2 * margin) (\i j ->
    let (y, x) = (i - margin, j - margin)
    in mean (upsampled coarse y x) (clamped push y x))

-- Spreads what is known over eight levels. The input and the result reach beyond the image.
def spread [n] [m] (f: [n][m]f32) : [n][m]f32 =
  let (h, w) = (n - 2 * reach, m - 2 * reach)
  let coarser [k] [l] (g: [k][l]f32) = down (k / 2) (l / 2) (clamped g)
  let push1 = down (h / 2) (w / 2) (\y x -> f[reach + y, reach + x])
  let push2 = coarser push1
  let push3 = coarser push2
  let push4 = coarser push3
  let push5 = coarser push4
  let push6 = coarser push5
  let push7 = coarser push6
  let pull1 = pull push1 (pull push2 (pull push3 (pull push4 (pull push5 (pull push6 (extended push7))))))
  in tabulate_2d n m (\i j -> mean (upsampled pull1 (i - reach) (j - reach)) f[i, j])

-- Halide's pseudo-random numbers, 0 to 1: a permutation of 32 bits, once for each of the keys (which call, of which
-- function, and where).
def random (keys: [5]u32) : f32 =
  let bits = loop r = 0 for i < 5 do
    let x = r + keys[i]
    in (1040796640 * x + 1121052041) * x + 576942909
  in f32.from_bits ((127 << 23) | ((bits >> 9) ^ (bits >> 25))) - 1

entry main [h] [w] (left: [3][h][w]u8) (right: [3][h][w]u8) : [3][h][w]f32 =
  let (n, m) = (h + 2 * reach, w + 2 * reach)
  let cost = tabulate_3d slices n m (\z i j ->
    let (y, x) = (i - reach, j - reach)
    let square (c: i64) =
      let l = clamped left[c] y x
      let distance a b : u8 = if a > b then a - b else b - a
      let from shift = distance l (clamped right[c] y (x + shift))
      let d = f32.u8 (u8.min (from (2 * z)) (from (2 * z + 1)))
      in d * d
    in square 0 + square 1 + square 2)
  -- Where costs differ much between the shifts, they can be trusted.
  let confidence = tabulate_2d n m (\i j ->
    let a = f32.sum (map (\z -> cost[z, i, j] * cost[z, i, j]) (iota slices)) / f32.i64 slices
    let b = f32.sum (map (\z -> cost[z, i, j] / f32.i64 slices) (iota slices))
    in a - b * b)
  let trusted = map (\plane -> spread (map2 (map2 (*)) plane confidence)) cost
  let trust = spread confidence
  let depth = tabulate_2d n m (\i j ->
    let (_, best) =
      loop (least, best) = (f32.highest, 0) for z < slices do
        let c = trusted[z, i, j] / trust[i, j]
        in if c < least then (c, z) else (least, best)
    in best)
  let radius = map (map (\d -> f32.i64 (i64.abs (d - focus)) * scale)) depth
  let worst_y = tabulate_2d h m (\y j -> f32.maximum (map (\d -> radius[y + d, j]) (iota (2 * reach + 1))))
  let worst = tabulate_2d h w (\y x -> f32.maximum (map (\d -> worst_y[y, x + d]) (iota (2 * reach + 1))))
  let colour y x = (f32.u8 (clamped left[0] y x), f32.u8 (clamped left[1] y x), f32.u8 (clamped left[2] y x))
  let gathered = tabulate_2d h w (\y x ->
    let (r, g, b) = colour y x
    let (r, g, b, a) =
      loop (r, g, b, a) = (r, g, b, 255) for s < samples do
        let shift (which: u32) =
          let u = (random [which, 78, u32.i64 s, u32.i64 y, u32.i64 x] - 0.5) * 2 * worst[y, x]
          in i64.max (-reach) (i64.min reach (i64.f32 u))
        let (dx, dy) = (shift 0, shift 1)
        let distance = f32.i64 (dx * dx + dy * dy)
        let within i j = distance < radius[i, j] * radius[i, j]
        let (here_y, here_x, there_y, there_x) = (y + reach, x + reach, y + dy + reach, x + dx + reach)
        let seen = (within here_y here_x || depth[there_y, there_x] < depth[here_y, here_x]) && within there_y there_x
        let weight = if seen then 1f32 else 0
        let (sr, sg, sb) = colour (y + dy) (x + dx)
        in (r + weight * sr, g + weight * sg, b + weight * sb, a + weight * 255)
    in (r / a, g / a, b / a))
  let (red, green, blue) = unzip3 (map unzip3 gathered)
  in [red, green, blue]
