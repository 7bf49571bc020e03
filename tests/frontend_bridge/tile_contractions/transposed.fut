-- Contractions of arrays that lie otherwise in memory than the program sees them, of sizes that may all be equal.

def products [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) : [m][m][n][n]f32 =
  map (\x -> map (\y -> map (\row -> #[sequential_inner] map (\column -> f32.sum (map2 (*) row column)) y) x) ys) xs

-- Rows with columns, columns with columns, and cubes turned to the left and to the right.
entry one [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) = products xs (map transpose ys)
entry both [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) = products (map transpose xs) (map transpose ys)
entry turned [n] (xs: [n][n][n]f32) (ys: [n][n][n]f32) =
  products (map transpose (transpose xs)) (transpose (map transpose ys))
entry reversed [n] (xs: [n][n][n]f32) (ys: [n][n][n]f32) =
  products (transpose (map transpose (transpose xs))) ys

-- What is computed by the threads of a kernel before, each a row, which then lie in columns.
entry computed [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) =
  products xs (map (map (\row -> #[sequential] scan (+) 0 row)) ys)

-- What is added lies in columns, too, and is an operand in the second.
def with_bias [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) (bias: [m][n][n]f32) : [m][m][n][n]f32 =
  map2 (\x b -> map (\y ->
    map2 (\row bs -> #[sequential_inner] map2 (\column b -> f32.sum (map2 (*) row column) + b) y bs) x b) ys) xs bias
entry biased [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) = with_bias xs (map transpose ys) (map transpose xs)
entry itself [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) =
  let columns = map transpose xs in with_bias columns ys columns

-- Each thread computes a row of results, so that these lie in columns.
entry rows [m] [n] (xs: [m][n][n]f32) (ys: [m][n][n]f32) : [m][m][n][n]f32 =
  map (\x -> map (\y -> map (\row -> #[sequential] map (\column -> f32.sum (map2 (*) row column)) y) x) (map transpose ys)) xs
