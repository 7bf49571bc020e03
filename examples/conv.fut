-- Convolution with several input and output channels, as a neural network's layer computes it: every output pixel of every
-- filter is a sum over input channels and over a square window. Only windows that lie inside the image count, so an m*n
-- image and a k*k window leave (m-k+1)*(n-k+1) pixels.
-- ==
-- entry: main
--
-- input {
--   [[[1f32, 2f32, 3f32], [4f32, 5f32, 6f32], [7f32, 8f32, 9f32]]]
--   [[[[1f32, 0f32], [0f32, 1f32]]]]
-- }
-- output { [[[6f32, 8f32], [12f32, 14f32]]] }
--
-- input {
--   [[[1f32, 2f32], [3f32, 4f32]], [[5f32, 6f32], [7f32, 8f32]]]
--   [[[[2f32]], [[-1f32]]], [[[1f32]], [[10f32]]]]
-- }
-- output { [[[7f32, 10f32], [13f32, 16f32]], [[49f32, 58f32], [67f32, 76f32]]] }
--
-- input { empty([0][3][3]f32) empty([0][2][2][2]f32) }
-- output { [[[0f32, 0f32], [0f32, 0f32]], [[0f32, 0f32], [0f32, 0f32]]] }
--
-- input { empty([1][2][0]f32) empty([1][0][1][1]f32) } output { empty([0][2][0]f32) }
-- input { [[[1f32]]] [[[[3f32]]]] } output { [[[3f32]]] }
-- input { [[[1f32], [2f32]]] [[[[1f32, 2f32], [3f32, 4f32]]]] } output { empty([1][1][0]f32) }
-- input { [[[1f32], [2f32]]] [[[[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]]]] } error: Error
--
-- compiled random input { [3][20][23]f32 [3][5][3][3]f32 } auto output
-- compiled random input { [1][17][31]f32 [1][1][5][5]f32 } auto output
-- compiled random input { [4][64][65]f32 [4][7][2][2]f32 } auto output
--
-- notest compiled random input { [64][516][516]f32 [64][64][5][5]f32 } auto output
-- notest compiled random input { [4][1030][1030]f32 [4][8][3][3]f32 } auto output

-- As tabulate_3d; the attribute leaves all that `f` does to the one thread that computes its result.
def tabulate_by_threads 'a (depth: i64) (height: i64) (width: i64) (f: i64 -> i64 -> i64 -> a) : [depth][height][width]a =
  tabulate_2d depth height (\z y -> #[sequential_inner] tabulate width (\x -> f z y x))

entry main [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) : [o][m - k + 1][n - k + 1]f32 =
  tabulate_by_threads o (m - k + 1) (n - k + 1) (\out y x ->
    reduce (+) 0 (tabulate l (\channel ->
      let window = inputs[channel, y:y + k, x:x + k] :> [k][k]f32
      in reduce (+) 0 (map2 (\window_row filter_row ->
           reduce (+) 0 (map2 (*) window_row filter_row))
         window filters[channel, out]))))
