-- One channel of a network: a convolution with 3x3 weights, its positive part, and the largest of each 2x2.
def weights : [3][3]f32 = [[1, 2, -1], [2, -4, 1], [-1, 1, 0.5]]

entry main [h] [w] (img: [h][w]f32) : [][]f32 =
  let conv = tabulate_2d (h - 2) (w - 2) (\y x ->
    f32.max 0 (f32.sum (map (\i -> f32.sum (map (\j -> weights[i, j] * img[y + i, x + j]) (iota 3))) (iota 3))))
  in tabulate_2d ((h - 2) / 2) ((w - 2) / 2) (\y x ->
    f32.maximum (map (\i -> f32.maximum (map (\j -> conv[2 * y + i, 2 * x + j]) (iota 2))) (iota 2)))
