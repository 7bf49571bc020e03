-- Convolution 3x3 by Winograd's F(2x2, 3x3): kernels and 4x4 tiles transformed, sixteen matrix products over the channels, transformed back (valid, even sizes).
def bt (d: [4]f32): [4]f32 = [d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]]
def gt (g: [3]f32): [4]f32 = [g[0], 0.5 * (g[0] + g[1] + g[2]), 0.5 * (g[0] - g[1] + g[2]), g[2]]
def at (m: [4]f32): [2]f32 = [m[0] + m[1] + m[2], m[1] - m[2] - m[3]]

def both_sides [n][m] (f: [n]f32 -> [m]f32) (a: [n][n]f32): [m][m]f32 =
  map f a |> transpose |> map f |> transpose

-- [a][b][4][4] as sixteen matrices.
def spread [a][b] (x: [a][b][4][4]f32): [16][a][b]f32 =
  tabulate_3d 16 a b (\q i j -> x[i, j, q / 4, q % 4])

def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32): [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

entry main [c][h][w][o] (x: [c][h][w]f32) (kernels: [o][c][3][3]f32) (bias: [o]f32)
  : [o][(h - 2) / 2 * 2][(w - 2) / 2 * 2]f32 =
  let (th, tw) = ((h - 2) / 2, (w - 2) / 2)
  let u = spread (map (map (both_sides gt)) kernels)
  let tiles =
    map (\plane ->
           tabulate (th * tw) (\t ->
             let (i, j) = (t / tw * 2, t % tw * 2)
             in both_sides bt (plane[i:i + 4, j:j + 4] :> [4][4]f32)))
        x
  let v = spread tiles
  let m = map2 matmul u v
  let y =
    tabulate_2d o (th * tw) (\k t ->
      both_sides at (tabulate_2d 4 4 (\a b -> m[a * 4 + b, k, t])))
  in tabulate_3d o ((h - 2) / 2 * 2) ((w - 2) / 2 * 2) (\k i j ->
       f32.max 0 (y[k, i / 2 * tw + j / 2, i % 2, j % 2] / f32.i64 c - bias[k]))
