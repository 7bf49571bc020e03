-- A point cloud into voxels by a histogram with a tuple operator, then each column's highest voxel and its fill.
def cell (g: i64) (x: i32) : i64 = (i64.i32 x + 2147483648) * g >> 32

type vox = (i32, i32, i32, u32)

def join (a: vox) (b: vox) : vox = (a.0 + b.0, i32.min a.1 b.1, i32.max a.2 b.2, a.3 | b.3)

entry main [n] (g: i64) (xs: [n]i32) (ys: [n]i32) (zs: [n]i32) (colour: [n]u8) =
  -- fold the height so that the upper cells are sparse
  let zs = map2 (\z x -> i32.min z (x / 2)) zs xs
  let ids = map3 (\x y z -> (cell g x * g + cell g y) * g + cell g z) xs ys zs
  let empty: vox = (0, i32.highest, i32.lowest, 0)
  let grid = reduce_by_index (replicate (g * g * g) empty) join empty ids
                             (map2 (\z c -> (1, z, z, 1 << u32.u8 (c & 31))) zs colour)
  let columns = unflatten_3d grid
  let (top, fill, height, hues) =
    unzip4 (flatten (map (map (\col ->
      let live = map2 (\(k, lo, hi, m) z -> if k == 0 then (-1, 0, 0, 0) else (z, 1, (hi >> 8) - (lo >> 8), m)) col (map i32.i64 (iota g))
      in reduce (\(a, b, c, d) (e, f, g, h) -> (i32.max a e, b + f, c + g, d | h)) (-1, 0i32, 0i32, 0u32) live)) columns))
  let fullest = reduce i32.max 0 (map (.0) grid)
  in (top, fill, height, map u32.popc hues, fullest)
