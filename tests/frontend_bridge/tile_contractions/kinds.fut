-- Contractions of several kinds, each left to the thread that computes a result.

def by_threads 'a (depth: i64) (height: i64) (width: i64) (f: i64 -> i64 -> i64 -> a) : [depth][height][width]a =
  tabulate_2d depth height (\z y -> #[sequential_inner] tabulate width (\x -> f z y x))

def sum3 (l: i64) (m: i64) (n: i64) (f: i64 -> i64 -> i64 -> f32) : f32 =
  #[sequential] reduce (+) 0 (tabulate l (\a -> reduce (+) 0 (tabulate m (\b -> reduce (+) 0 (tabulate n (\c -> f a b c))))))

-- Every `stride`-th window, with an offset for each filter, and nothing negative.
entry strided [l] [m] [n] [o] [k] (stride: i64) (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) (bias: [o]f32) =
  by_threads o ((m - k) / stride + 1) ((n - k) / stride + 1) (\out y x ->
    f32.max 0 (bias[out] + sum3 l k k (\c i j -> inputs[c, y * stride + i, x * stride + j] * filters[c, out, i, j])))

-- Windows every other row and column, the filter turned around.
entry flipped [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [o][l][k][k]f32) =
  by_threads o ((m - k) / 2 + 1) ((n - k) / 2 + 1) (\out y x ->
    sum3 l k k (\c i j -> inputs[c, 2 * y + i, 2 * x + j] * filters[out, c, k - 1 - i, k - 1 - j]))

-- As large as the image, with zeros around it.
entry same [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [o][l][k][k]f32) =
  by_threads o m n (\out y x ->
    sum3 l k k (\c i j ->
      let (v, u) = (y + i - k / 2, x + j - k / 2)
      in if v >= 0 && v < m && u >= 0 && u < n then inputs[c, v, u] * filters[out, c, i, j] else 0))

-- The largest sum instead of the sum of products, of integers.
entry dilated [l] [m] [n] [o] [k] (inputs: [l][m][n]i32) (shapes: [o][l][k]i32) =
  by_threads o m (n - k + 1) (\out y x ->
    #[sequential] reduce i32.max i32.lowest (tabulate l (\c ->
      reduce i32.max i32.lowest (tabulate k (\j -> inputs[c, y, x + j] + shapes[out, c, j])))))

-- A product of matrices is left to the host.
entry product [m] [n] [k] (a: [m][k]f32) (b: [k][n]f32) : [m][n]f32 =
  map (\row -> #[sequential_inner] map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
