-- A convolution whose windows need not be as high as wide, left to the thread that computes a result.

def sum3 (l: i64) (m: i64) (n: i64) (f: i64 -> i64 -> i64 -> f32) : f32 =
  #[sequential] reduce (+) 0 (tabulate l (\a -> reduce (+) 0 (tabulate m (\b -> reduce (+) 0 (tabulate n (\c -> f a b c))))))

entry main [l] [m] [n] [o] [h] [w] (inputs: [l][m][n]f32) (filters: [l][o][h][w]f32) =
  tabulate_2d o (m - h + 1) (\out y ->
    #[sequential_inner] tabulate (n - w + 1) (\x ->
      sum3 l h w (\c i j -> inputs[c, y + i, x + j] * filters[c, out, i, j])))
