-- Multiscale interpolation as Halide's app: colours where alpha is, spread to where it is not. A pyramid of ten
-- levels down by 1 2 1, then up again. Only the input is extended past its border (and level 3 once more, which level
-- 4 reads).
import "image"

-- Element 0 is one pixel further out than twice the coarser level's.
def down [n] [m] (f: [4][n][m]f32) : [4][(n - 1) / 2][(m - 1) / 2]f32 =
  let half a b c : f32 = (a + 2 * b + c) * 0.25
  let across = map (\p -> tabulate_2d n ((m - 1) / 2) (\y x -> half p[y, 2 * x] p[y, 2 * x + 1] p[y, 2 * x + 2])) f
  in map (\p ->
       tabulate_2d ((n - 1) / 2) ((m - 1) / 2) (\y x -> half p[2 * y, x] p[2 * y + 1, x] p[2 * y + 2, x])) across

-- Element (0, 0) of the level is (before, before) of `f`.
def up [n] [m] [k] [l] (h: i64) (w: i64) (before: i64) (f: [4][n][m]f32) (coarse: [4][k][l]f32) : [4][h][w]f32 =
  tabulate_3d 4 h w (\c y x ->
    let across y = (coarse[c, y, x / 2] + coarse[c, y, (x + 1) / 2]) / 2
    let finer = (across (y / 2) + across ((y + 1) / 2)) / 2
    in f[c, before + y, before + x] + (1 - f[3, before + y, before + x]) * finer)

-- How many rows or columns of each level the way up needs.
def coarser (n: i64) : i64 = n / 2 + 1
def at_level (l: i64) (n: i64) : i64 = loop n for _i < l do coarser n

-- How many elements `down` needs for n, l times over.
def below (l: i64) (n: i64) : i64 = loop n for _i < l do 2 * n + 1

entry main [h] [w] (img: [4][h][w]f32) : [3][h][w]f32 =
  let rows l = at_level l h
  let columns l = at_level l w
  let extended n edge = i64.max (at_level 3 n) (edge + 1)
  let wide n edge = below 3 (extended n edge)
  let d0 = tabulate_3d 4 (wide h (h / 8)) (wide w (w / 8)) (\c y x ->
    let alpha = clamped img[3] (y - 7) (x - 7)
    in if c < 3 then clamped img[c] (y - 7) (x - 7) * alpha else alpha)
  let d1 = down d0
  let d2 = down d1
  let d3 = down d2
  let d3_extended = tabulate_3d 4 (below 6 (rows 9)) (below 6 (columns 9)) (\c y x ->
    d3[c, clamp (h / 8 + 1) (y - 63), clamp (w / 8 + 1) (x - 63)])
  let d4 = down d3_extended
  let d5 = down d4
  let d6 = down d5
  let d7 = down d6
  let d8 = down d7
  let d9 = down d8
  let u8 = up (rows 8) (columns 8) 1 d8 d9
  let u7 = up (rows 7) (columns 7) 3 d7 u8
  let u6 = up (rows 6) (columns 6) 7 d6 u7
  let u5 = up (rows 5) (columns 5) 15 d5 u6
  let u4 = up (rows 4) (columns 4) 31 d4 u5
  let u3 = up (rows 3) (columns 3) 0 d3 u4
  let u2 = up (rows 2) (columns 2) 1 d2 u3
  let u1 = up (rows 1) (columns 1) 3 d1 u2
  let u0 = up h w 7 d0 u1
  in tabulate_3d 3 h w (\c y x -> u0[c, y, x] / u0[3, y, x])
