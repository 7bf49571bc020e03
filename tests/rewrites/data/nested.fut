-- Stages of which a point needs elements that no other point needs: threads may compute these for themselves.

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)
def down [h] [w] (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> img[clamp h (y - 1), x] + 2 * img[y, x] + img[clamp h (y + 1), x])

-- Three planes of k for each point of w, and w for those above and below.
entry kwz [h] [w] (e: [3][h][w]f32) : [h][w]f32 =
  let k = tabulate_3d 3 h w (\c y x -> e[c, y, clamp w (x - 1)] + e[c, y, x] + e[c, y, clamp w (x + 1)])
  in down (tabulate_2d h w (\y x -> k[0, y, x] + k[1, y, x] + k[2, y, x]))

-- The point's own element, twice.
entry twice [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let a = down img
  let b = tabulate_2d h w (\y x -> a[y, x] * img[y, clamp w (x + 1)])
  in down (tabulate_2d h w (\y x -> a[y, x] + b[y, x] * img[y, clamp w (x - 1)]))

-- Four points of a finer image.
entry half [h] [w] (img: [h][w]f32) : [][]f32 =
  let fine = down img
  let (n, m) = (h / 2, w / 2)
  in down (tabulate_2d n m (\y x -> fine[2 * y, 2 * x] + fine[2 * y, 2 * x + 1] + fine[2 * y + 1, 2 * x] - fine[2 * y + 1, 2 * x + 1]))

-- Nothing is left for the block.
entry alone [h] [w] (e: [3][h][w]f32) : [h][w]f32 =
  let k = tabulate_3d 3 h w (\c y x -> e[c, clamp h (y - 1), x] + e[c, y, x])
  in tabulate_2d h w (\y x -> k[0, y, x] * k[1, y, x] - k[2, y, x])

-- All points of a column need the same element, and the colours of a point another.
entry shared [h] [w] (img: [h][w]f32) (weights: [w]f32) : [h][w]f32 =
  let soft = tabulate w (\x -> weights[clamp w (x - 1)] + weights[x])
  in down (tabulate_2d h w (\y x -> soft[x] * img[y, clamp w (x + 1)]))
entry colours [h] [w] (img: [h][w]f32) (e: [8][h][w]f32) : [8][h][w]f32 =
  let soft = down (down img)
  let scaled = tabulate_3d 8 h w (\c y x -> soft[y, x] * e[c, y, clamp w (x + 1)])
  in map down scaled
