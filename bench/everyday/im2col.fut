-- A strided convolution of a batch as im2col (zero padding of 1, stride 2) followed by a matrix product, with bias and relu6; sum of each image.
def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32): [n][p]f32 =
  map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) (transpose b)) a

def columns [c][h][w] (x: [c][h][w]f32) (oh: i64) (ow: i64): [c * 3 * 3][oh * ow]f32 =
  tabulate_2d (c * 3 * 3) (oh * ow) (\r q ->
    let (ch, ky, kx) = (r / 9, r % 9 / 3, r % 3)
    let y = q / ow * 2 + ky - 1
    let z = q % ow * 2 + kx - 1
    in if 0 <= y && y < h && 0 <= z && z < w then x[ch, y, z] else 0)

entry main [n][c][h][w][o] (x: [n][c][h][w]f32) (kernels: [o][c][3][3]f32) (bias: [o]f32)
  : ([n][o][(h + 1) / 2][(w + 1) / 2]f32, [n]f32) =
  let oh = (h + 1) / 2
  let ow = (w + 1) / 2
  let weights = map (\k -> map (\v -> v / f32.i64 (c * 9) - 0.25 / f32.i64 c) (flatten_3d k)) kernels
  let out =
    map (\image ->
           let product = matmul weights (columns image oh ow)
           in map2 (\b row -> unflatten (map (\v -> f32.min 6 (f32.max 0 (v + b))) row)) bias product)
        x
  in (out :> [n][o][(h + 1) / 2][(w + 1) / 2]f32, map (\t -> f32.sum (flatten_3d t)) out)
