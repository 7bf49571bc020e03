-- Points that need several sums, or yield more than one value.

-- ==
-- entry: complex_product
-- compiled random input { [1][1]f32 [1][1]f32 [1][1]f32 [1][1]f32 } auto output
-- compiled random input { [37][20]f32 [37][20]f32 [20][41]f32 [20][41]f32 } auto output
-- compiled random input { [64][64]f32 [64][64]f32 [64][64]f32 [64][64]f32 } auto output

-- ==
-- entry: sobel gradients
-- compiled random input { [4][4]f32 } auto output
-- compiled random input { [5][5]f32 } auto output
-- compiled random input { [37][64]f32 } auto output

-- ==
-- entry: gate
-- compiled random input { [1][1]f32 [1][1]f32 [1]f32 [1]f32 [1]f32 } auto output
-- compiled random input { [37][20]f32 [37][37]f32 [20]f32 [37]f32 [37]f32 } auto output

-- ==
-- entry: sum_and_relu scores
-- compiled random input { [1][1]f32 [1][1]f32 } auto output
-- compiled random input { [37][20]f32 [41][20]f32 } auto output

-- ==
-- entry: local_variance
-- compiled random input { [4][4]i32 } auto output
-- compiled random input { [37][64]i32 } auto output

entry complex_product [n][m][k] (ar: [n][k]f32) (ai: [n][k]f32) (br: [k][m]f32) (bi: [k][m]f32) =
  unzip (map unzip (tabulate_2d n m (\i j ->
    reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (tabulate k (\l ->
      (ar[i, l] * br[l, j] - ai[i, l] * bi[l, j], ar[i, l] * bi[l, j] + ai[i, l] * br[l, j]))))))

entry sobel [h][w] (img: [h][w]f32) =
  tabulate_2d (h - 2) (w - 2) (\y x ->
    let (gx, gy) =
      loop (gx, gy) = (0, 0) for i < 3 do
        loop (gx, gy) for j < 3 do
          let v = img[y + i, x + j]
          in (gx + v * f32.i64 ((j - 1) * (2 - i64.abs (i - 1))), gy + v * f32.i64 ((i - 1) * (2 - i64.abs (j - 1))))
    in f32.sqrt (gx * gx + gy * gy))

-- Windows of one array, not large enough for the sums to be worth a kernel each.
entry gradients [h][w] (img: [h][w]f32) =
  tabulate_2d (h - 4) (w - 4) (\y x ->
    let (gx, gy) =
      loop (gx, gy) = (0, 0) for i < 5 do
        loop (gx, gy) for j < 5 do
          let v = img[y + i, x + j]
          in (gx + v * f32.i64 ((j - 2) * (3 - i64.abs (i - 2))), gy + v * f32.i64 ((i - 2) * (3 - i64.abs (j - 2))))
    in f32.sqrt (gx * gx + gy * gy))

entry gate [n][m] (w: [n][m]f32) (u: [n][n]f32) (x: [m]f32) (h: [n]f32) (b: [n]f32) : [n]f32 =
  map3 (\wr ur b -> f32.tanh (f32.sum (map2 (*) wr x) + f32.sum (map2 (*) ur h) + b)) w u b

entry sum_and_relu [n][m][k] (a: [n][k]f32) (b: [m][k]f32) : ([n][m]f32, [n][m]f32) =
  unzip (map unzip (map (\r -> map (\c -> let z = f32.sum (map2 (*) r c) in (z, f32.max 0 z)) b) a))

-- Extraction returns each product twice: for the largest, and for the differences.
entry scores [n][m][d] (qs: [n][d]f32) (ks: [m][d]f32) : [n][m]f32 =
  map (\q ->
    let s = map (\k -> f32.sum (map2 (*) q k)) ks
    let most = f32.maximum s
    in map (\v -> v - most) s) qs

-- The second sum is of differences from the first.
entry local_variance [h][w] (img: [h][w]i32) : [][]i32 =
  tabulate_2d (h - 4) (w - 4) (\y x ->
    let window = flatten (img[y:y + 5, x:x + 5] :> [5][5]i32)
    let mean = i32.sum window / 25
    in i32.sum (map (\v -> (v - mean) * (v - mean)) window))
