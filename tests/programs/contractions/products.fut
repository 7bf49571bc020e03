-- Matrix products and other contractions without windows.

-- ==
-- entry: im2col
-- compiled random input { [3][11][13]f32 [5][27]f32 } auto output

-- ==
-- entry: max_plus
-- compiled random input { [7][11]f32 [11][13]f32 } auto output
-- compiled random input { [64][32]f32 [32][48]f32 } auto output

-- ==
-- entry: product_i32
-- compiled random input { [7][11]i32 [11][13]i32 } auto output
-- compiled random input { [65][33]i32 [33][47]i32 } auto output
-- compiled random input { [0][3]i32 [3][4]i32 } auto output
-- compiled random input { [3][0]i32 [0][4]i32 } auto output

-- ==
-- entry: product_f16
-- compiled random input { [7][5]f16 [5][3]f16 } auto output

-- ==
-- entry: product_f64
-- compiled random input { [7][11]f64 [11][13]f64 } auto output
-- compiled random input { [65][33]f64 [33][47]f64 } auto output

-- ==
-- entry: two_indices
-- compiled random input { [5][3][7]f32 [7][3][11]f32 } auto output
-- compiled random input { [33][4][8]f32 [8][4][17]f32 } auto output

-- ==
-- entry: matrix_vector
-- compiled random input { [7][11]f32 [11]f32 } auto output
-- compiled random input { [100][257]f32 [257]f32 } auto output

entry im2col [c][h][w][o] (img: [c][h][w]f32) (f: [o][c*3*3]f32) : [o][(h-2)*(w-2)]f32 =
  let cols = flatten (tabulate_2d (h-2) (w-2) (\y x -> flatten_3d (tabulate_3d c 3 3 (\n i j -> img[n,y+i,x+j])))) in map (\g -> map (\col -> f32.sum (map2 (*) g col)) cols) f

entry max_plus [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> reduce f32.max (-f32.inf) (map2 (+) r c)) (transpose b)) a

entry product_i32 [n][m][p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a

entry product_f16 [n][m][p] (a: [n][m]f16) (b: [m][p]f16) : [n][p]f16 =
  map (\r -> map (\c -> f16.sum (map2 (*) r c)) (transpose b)) a

entry product_f64 [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  tabulate_2d n p (\i j -> loop s = 0 for k < m do s + a[i,k]*b[k,j])

entry two_indices [a][b][c][d] (x: [a][b][c]f32) (y: [c][b][d]f32) : [a][d]f32 =
  tabulate_2d a d (\i l -> f32.sum (flatten (tabulate_2d b c (\j k -> x[i,j,k]*y[k,j,l]))))

entry matrix_vector [n][m] (a: [n][m]f32) (x: [m]f32) : [n]f32 =
  map (\r -> f32.sum (map2 (*) r x)) a
