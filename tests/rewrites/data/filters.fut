-- Filters by arrays of taps, with zeros beyond the border or no border at all: contractions each, which by themselves have tiles, and stages
-- of one kernel where one reads the other. filters.fut_gpu is what `futhark dev -s --extract-kernels -e` makes of it.
def taps_of [k] (taps: [k]i32) (at: i64 -> i32) : i32 = i32.sum (tabulate k (\j -> taps[j] * at j))

entry zeros [h][w] (taps: [5]i32) (img: [h][w]i32) : [h][w]i32 =
  let at [h][w] (a: [h][w]i32) y x = if y >= 0 && y < h && x >= 0 && x < w then a[y, x] else 0
  let rows = tabulate_2d h w (\y x -> taps_of taps (\j -> at img y (x + j - 2)))
  in tabulate_2d h w (\y x -> taps_of taps (\j -> at rows (y + j - 2) x))

entry valid [h][w] (taps: [5]i32) (img: [h][w]i32) : [][]i32 =
  let rows = tabulate_2d h (w - 4) (\y x -> taps_of taps (\j -> img[y, x + j]))
  in tabulate_2d (h - 4) (w - 4) (\y x -> taps_of taps (\j -> rows[y + j, x]))

-- Two sets of taps; the first result is read elsewhere, too.
entry both [h][w] (taps: [3]i32) (others: [7]i32) (img: [h][w]i32) : ([h][w]i32, [h][w]i32) =
  let rows = tabulate_2d h w (\y x -> taps_of taps (\j -> let x' = x + j - 1 in if x' >= 0 && x' < w then img[y, x'] else 0))
  in (rows, tabulate_2d h w (\y x -> taps_of others (\j -> let y' = y + j - 3 in if y' >= 0 && y' < h then rows[y', x] else 0)))

-- A small convolution, its activation, and pooling.
entry pooled [h][w] (k: [3][3]i32) (img: [h][w]i32) : [][]i32 =
  let conv = tabulate_2d (h - 2) (w - 2) (\y x -> i32.max 0 (i32.sum (flatten (tabulate_2d 3 3 (\a b -> k[a, b] * img[y + a, x + b])))))
  in tabulate_2d ((h - 2) / 2) ((w - 2) / 2) (\y x -> i32.maximum (flatten (tabulate_2d 2 2 (\a b -> conv[2 * y + a, 2 * x + b]))))

-- By itself a contraction in tiles.
entry alone [h][w] (k: [5][5]i32) (img: [h][w]i32) : [][]i32 =
  tabulate_2d (h - 4) (w - 4) (\y x -> i32.sum (flatten (tabulate_2d 5 5 (\a b -> k[a, b] * img[y + a, x + b]))))

-- Taps of several images at once are used for more points than a window has: tiles for each.
entry many [h][w][c] (taps: [c][5]i32) (img: [h][w]i32) : [][][]i32 =
  let rows = tabulate_3d c h (w - 4) (\o y x -> taps_of taps[o] (\j -> img[y, x + j]))
  in tabulate_3d c (h - 4) (w - 4) (\o y x -> taps_of taps[o] (\j -> rows[o, y + j, x]))
