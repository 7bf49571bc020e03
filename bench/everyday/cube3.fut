-- Data cube of three attributes: count, sum, least and largest of each cell, and all the marginals over one or two of them.
type cell = (i32, i64, i32, i32)
def none : cell = (0, 0, i32.highest, i32.lowest)
def plus (a: cell) (b: cell) : cell = (a.0 + b.0, a.1 + b.1, i32.min a.2 b.2, i32.max a.3 b.3)
def fold [n] (xs: [n]cell) : cell = reduce plus none xs

def pack 'a [x] [y] (c: [x][y]cell) : ([x][y]i32, [x][y]i64, [x][y]i32, [x][y]i32) =
  unzip4 (map unzip4 c)

entry main [n] (xs: [n]u8) (ys: [n]u8) (zs: [n]u8) (v: [n]i32) =
  let a = 6i64
  let b = 10i64
  let c = 16i64
  let key (x: u8) (y: u8) (z: u8) =
    ((i64.u8 x % a) * b + i64.u8 y % b) * c + i64.u8 z % c
  let cells = reduce_by_index (replicate (a * b * c) none) plus none (map3 key xs ys zs) (map (\w -> (1, i64.i32 w, w, w)) v)
  let cube = unflatten_3d cells
  let no_z = map (map fold) cube
  let no_y = map (\m -> map fold (transpose m)) cube
  let no_x = map (map fold) (map transpose (transpose cube))
  let only_x = map fold no_z
  let only_y = map fold no_x
  let all = fold only_x
  let (count_xy, sum_xy, _, max_xy) = pack no_z
  let (count_xz, sum_xz, min_xz, _) = pack no_y
  let (_, sum_yz, min_yz, max_yz) = pack no_x
  let (_, sum_x, _, _) = unzip4 only_x
  let (count_y, _, min_y, max_y) = unzip4 only_y
  in (count_xy, sum_xy, max_xy, count_xz, sum_xz, min_xz, sum_yz, min_yz, max_yz,
      sum_x, count_y, min_y, max_y, all.0, all.1, all.2, all.3)
