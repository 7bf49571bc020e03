-- Local Laplacian filter as Halide's app: eight copies of the brightness, each with the contrast changed around one
-- value; their Laplacian pyramids; at each pixel of each level the two copies nearest to the pixel's own value are
-- taken. alpha 1/7, beta 1, eight levels.
import "image"

def copies : i64 = 8
def alpha : f32 = 1f32 / 7
def beta : f32 = 1

-- Pyramids go beyond the image, so far as the next level reads: element 0 of level j is coordinate -first j.
def first (j: i64) : i64 = (1 << (8 - j)) - 1

-- 1 3 3 1, in y and then in x. Element 0 is one pixel further out than twice the coarser level's.
def down [n] [m] (f: [n][m]f32) : [n / 2 - 1][m / 2 - 1]f32 =
  let half a b c d : f32 = (a + 3 * (b + c) + d) / 8
  let down_y = tabulate_2d (n / 2 - 1) m (\y x -> half f[2 * y, x] f[2 * y + 1, x] f[2 * y + 2, x] f[2 * y + 3, x])
  in tabulate_2d (n / 2 - 1) (m / 2 - 1) (\y x ->
       half down_y[y, 2 * x] down_y[y, 2 * x + 1] down_y[y, 2 * x + 2] down_y[y, 2 * x + 3])

-- At the coordinates (y, x), from a level of half the resolution.
def upsampled [n] [m] (f: [n][m]f32) (before: i64) (y: i64) (x: i64) : f32 =
  let mix a b t : f32 = a * (1 - t) + b * t
  let nearer i = f32.i64 ((i % 2) * 2 + 1) / 4
  let at_y y = mix f[before + y, before + (x + 1) / 2] f[before + y, before + (x - 1) / 2] (nearer x)
  in mix (at_y ((y + 1) / 2)) (at_y ((y - 1) / 2)) (nearer y)

-- How many elements the coarsest level has, and what `down` needs for n, l times over.
def coarsest (n: i64) : i64 = (loop last = n - 1 for _i < 7 do (last + 1) / 2) + 2
def below (l: i64) (n: i64) : i64 = loop n for _i < l do 2 * n + 2
-- What the way up needs of level j, from -1 on.
def rows (j: i64) (n: i64) : i64 = (loop last = n - 1 for _i < j do (last + 1) / 2) + 2

-- Between the two copies whose values are nearest to the brightness v.
def between (v: f32) (detail: i64 -> f32) : f32 =
  let level = v * f32.i64 (copies - 1)
  let k = i64.max 0 (i64.min (copies - 2) (i64.f32 level))
  let t = level - f32.i64 k
  in (1 - t) * detail k + t * detail (k + 1)

-- A level of the result, from the coarser one; element (0, 0) of the level is (from, from), and the coarser one's is
-- (-1, -1).
def up [n] [m] [k] [l] [p] [q] (h: i64) (w: i64) (from: i64) (j: i64) (gray: [n][m]f32) (remapped: [copies][n][m]f32)
                               (coarse: [copies][k][l]f32) (result: [p][q]f32) : [h][w]f32 =
  tabulate_2d h w (\i o ->
    let (y, x) = (i + from, o + from)
    let detail c = remapped[c, first j + y, first j + x] - upsampled coarse[c] (first (j + 1)) y x
    in upsampled result 1 y x + between gray[first j + y, first j + x] detail)

entry main [h] [w] (img: [3][h][w]u16) : [3][h][w]u16 =
  let value v = f32.u16 v / 65535
  let n = below 7 (coarsest h)
  let m = below 7 (coarsest w)
  let gray0 = tabulate_2d n m (\y x ->
    let at (c: i64) = value (clamped img[c] (y - first 0) (x - first 0))
    in luminance (at 0) (at 1) (at 2))
  let change = tabulate (2 * (copies - 1) * 256 + 1) (\i ->
    let fx = f32.i64 (i - (copies - 1) * 256) / 256
    in alpha * fx * f32.exp (-fx * fx / 2))
  let remapped0 = tabulate_3d copies n m (\k y x ->
    let v = gray0[y, x]
    let level = f32.i64 k * (1 / f32.i64 (copies - 1))
    let i = i64.max 0 (i64.min ((copies - 1) * 256) (i64.f32 (v * f32.i64 (copies - 1) * 256)))
    in beta * (v - level) + level + change[i - 256 * k + (copies - 1) * 256])
  let gray1 = down gray0
  let gray2 = down gray1
  let gray3 = down gray2
  let gray4 = down gray3
  let gray5 = down gray4
  let gray6 = down gray5
  let gray7 = down gray6
  let remapped1 = map down remapped0
  let remapped2 = map down remapped1
  let remapped3 = map down remapped2
  let remapped4 = map down remapped3
  let remapped5 = map down remapped4
  let remapped6 = map down remapped5
  let remapped7 = map down remapped6
  let result7 = tabulate_2d (rows 7 h) (rows 7 w) (\y x -> between gray7[y, x] (\c -> remapped7[c, y, x]))
  let result6 = up (rows 6 h) (rows 6 w) (-1) 6 gray6 remapped6 remapped7 result7
  let result5 = up (rows 5 h) (rows 5 w) (-1) 5 gray5 remapped5 remapped6 result6
  let result4 = up (rows 4 h) (rows 4 w) (-1) 4 gray4 remapped4 remapped5 result5
  let result3 = up (rows 3 h) (rows 3 w) (-1) 3 gray3 remapped3 remapped4 result4
  let result2 = up (rows 2 h) (rows 2 w) (-1) 2 gray2 remapped2 remapped3 result3
  let result1 = up (rows 1 h) (rows 1 w) (-1) 1 gray1 remapped1 remapped2 result2
  let result0 = up h w 0 0 gray0 remapped0 remapped1 result1
  in tabulate_3d 3 h w (\c y x ->
       let v = gray0[first 0 + y, first 0 + x]
       in u16.f32 (f32.max 0 (f32.min 65535 (f32.u16 img[c, y, x] * (result0[y, x] + 0.01) / (v + 0.01)))))
