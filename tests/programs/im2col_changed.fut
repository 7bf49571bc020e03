-- A convolution as a matrix product of windows that have been gathered, of an image that changes before the product or after it.
-- ==
-- entry: afterwards before
-- compiled random input { [19][23]i32 [3][4][5]i32 } auto output
-- compiled random input { [8][8]i32 [1][1][1]i32 } auto output

-- ==
-- entry: another
-- compiled random input { [19][23]i32 [19][23]i32 [3][4][5]i32 } auto output

def im2col [h] [w] (kh: i64) (kw: i64) (img: [h][w]i32) : *[(h - kh + 1) * (w - kw + 1)][kh * kw]i32 =
  flatten (tabulate_2d (h - kh + 1) (w - kw + 1) (\y x -> flatten (img[y:y + kh, x:x + kw] :> [kh][kw]i32)))

def products [o] [n] [k] (rows: [n][k]i32) (filters: [o][k]i32) : *[o][n]i32 =
  map (\f -> #[sequential_inner] map (\row -> i32.sum (map2 (*) row f)) rows) filters

entry afterwards [h] [w] [o] [kh] [kw] (img: *[h][w]i32) (filters: [o][kh][kw]i32) : ([o][]i32, [h][w]i32) =
  let found = products (im2col kh kw img) (map flatten filters)
  in (found, img with [0, 0] = found[0, 0])

entry before [h] [w] [o] [kh] [kw] (img: *[h][w]i32) (filters: [o][kh][kw]i32) : ([o][]i32, [h][w]i32) =
  let rows = im2col kh kw img
  let img[0, 0] = rows[0, 0] + 1
  in (products rows (map flatten filters), img)

entry another [h] [w] [o] [kh] [kw] (img: [h][w]i32) (other: *[h][w]i32) (filters: [o][kh][kw]i32) : ([o][]i32, [h][w]i32) =
  let rows = im2col kh kw img
  let other[0, 0] = rows[0, 0] + 1
  in (products rows (map flatten filters), other)
