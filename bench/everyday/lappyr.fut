-- Detail boosting by a Laplacian pyramid of three levels, over a batch [n][c][h][w]; each level smoothed in two passes, sizes halved rounding up.
def taps = [1f32, 4, 6, 4, 1] |> map (/ 16)

def clampi (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

def conv5 (get: i64 -> f32): f32 =
  f32.sum (map2 (\t k -> t * get (k - 2)) taps (iota 5))

def down [h][w] (img: [h][w]f32): [(h + 1) / 2][(w + 1) / 2]f32 =
  let rows = tabulate_2d h ((w + 1) / 2) (\y x -> conv5 (\d -> img[y, clampi w (2 * x + d)]))
  in tabulate_2d ((h + 1) / 2) ((w + 1) / 2) (\y x -> conv5 (\d -> rows[clampi h (2 * y + d), x]))

-- Even positions see the taps 1 6 1, odd positions 4 4.
def up1 (n: i64) (i: i64) (get: i64 -> f32): f32 =
  let c = i / 2
  in if i % 2 == 0
     then (get (clampi n (c - 1)) + 6 * get c + get (clampi n (c + 1))) / 8
     else (get c + get (clampi n (c + 1))) / 2

def up [h][w] (hh: i64) (ww: i64) (img: [h][w]f32): [hh][ww]f32 =
  let cols = tabulate_2d h ww (\y x -> up1 w x (\i -> img[y, i]))
  in tabulate_2d hh ww (\y x -> up1 h y (\i -> cols[i, x]))

def boost (s: f32) (x: f32): f32 = x * (1 + s / (1 + 4 * f32.abs x))

def enhance [h][w] (s: f32) (g0: [h][w]f32): [h][w]f32 =
  let g1 = down g0
  let g2 = down g1
  let g3 = down g2
  let restore [a][b][c][d] (fine: [a][b]f32) (coarse: [c][d]f32) (below: [c][d]f32) (s: f32): [a][b]f32 =
    map3 (map3 (\f u v -> v + boost s (f - u))) fine (up a b coarse) (up a b below)
  let r2 = restore g2 g3 g3 (s / 4)
  let r1 = restore g1 g2 r2 (s / 2)
  in restore g0 g1 r1 s

entry main [n][c][h][w] (s: f32) (batch: [n][c][h][w]f32): [n][c][h][w]f32 =
  map (map (enhance s)) batch
