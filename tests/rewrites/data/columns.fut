-- Stages that need no tile: what a thread that goes down a column reads of them lies in the column, or is an element of another stage's tile.

def rows_then_columns [h] [w] 't (mean: t -> t -> t -> t) (img: [h][w]t) : [h - 2][w - 2]t =
  let rows = tabulate_2d h (w - 2) (\y x -> mean img[y, x] img[y, x + 1] img[y, x + 2])
  in tabulate_2d (h - 2) (w - 2) (\y x -> mean rows[y, x] rows[y + 1, x] rows[y + 2, x])

-- A thread has two columns, and stores both at once.
entry narrow [h] [w] (img: [h][w]u16) : [h - 2][w - 2]u16 = rows_then_columns (\a b c -> (a + b + c) / 3) img

-- Of two images: half as many rows have room in a thread's registers.
entry narrow_pair [h] [w] (a: [h][w]u16) (b: [h][w]u16) : [h - 2][w - 2]u16 =
  let rows = tabulate_2d h (w - 2) (\y x -> a[y, x] + a[y, x + 2] * 2 + b[y, x + 1])
  in tabulate_2d (h - 2) (w - 2) (\y x -> rows[y, x] + rows[y + 1, x] * 2 + rows[y + 2, x])

-- Elements as wide as a register.
entry wide [h] [w] (img: [h][w]f32) : [h - 2][w - 2]f32 = rows_then_columns (\a b c -> a + 2 * b + c) img

-- Columns, then rows.
entry turned [h] [w] (img: [h][w]u16) : [h - 2][w - 2]u16 =
  let columns = tabulate_2d (h - 2) w (\y x -> (img[y, x] + img[y + 1, x] + img[y + 2, x]) / 3)
  in tabulate_2d (h - 2) (w - 2) (\y x -> (columns[y, x] + columns[y, x + 1] + columns[y, x + 2]) / 3)

-- Every other element of every other row, twice: two names for what lies in the tile of `smooth`. The two differences need nothing of each other.
entry mosaic [h] [w] (img: [h][w]i32) : [][]i32 =
  let (n, m) = (h / 2, w / 2)
  let smooth = tabulate_2d (2 * n - 2) (2 * m - 2) (\y x -> img[y, x] + 3 * img[y + 1, x + 2] - img[y + 2, x + 1])
  let phase py px = tabulate_2d (n - 1) (m - 1) (\y x -> smooth[2 * y + py, 2 * x + px])
  let a = phase 0 1
  let b = phase 1 0
  let along = tabulate_2d (n - 2) (m - 2) (\y x -> (a[y, x] - a[y, x + 1]) * b[y + 1, x])
  let down = tabulate_2d (n - 3) (m - 2) (\y x -> (b[y, x] - b[y + 1, x]) * a[y, x + 1])
  in tabulate_2d (n - 4) (m - 4) (\y x -> along[y, x] * down[y + 1, x + 2] + along[y + 2, x] - down[y, x + 1])
