-- Indices that are several in one, and matrices gathered for a product.

-- ==
-- entry: flat_points
-- compiled random input { [1][1]f32 [1][1]f32 } auto output
-- compiled random input { [13][17]f32 [3][5]f32 } auto output
-- compiled random input { [40][70]f32 [3][3]f32 } auto output

-- ==
-- entry: flat_points_of_three
-- compiled random input { [1][1][1]i32 [2][1]i32 } auto output
-- compiled random input { [3][5][11]i32 [2][11]i32 } auto output
-- compiled random input { [0][5][11]i32 [2][11]i32 } auto output

-- ==
-- entry: flat_reduction
-- compiled random input { [1][1][1]f32 [1][1]f32 } auto output
-- compiled random input { [7][5][3]f32 [5][3]f32 } auto output
-- compiled random input { [7][0][3]f32 [0][3]f32 } auto output

-- ==
-- entry: flat_reduction_of_three
-- compiled random input { [2][9][11]f32 [2][3][2]f32 } auto output
-- compiled random input { [3][20][33]f32 [3][4][5]f32 } auto output

-- ==
-- entry: flat_operand
-- compiled random input { [1][1][1]f32 [1][1]f32 } auto output
-- compiled random input { [5][7][11]f32 [11][13]f32 } auto output

-- ==
-- entry: reversed_and_flat
-- compiled random input { [5][7][3]i64 [3][4]i64 } auto output

-- ==
-- entry: im2col_of_padded
-- compiled random input { [1][1][1]f32 [1][9]f32 } auto output
-- compiled random input { [3][11][13]f32 [5][27]f32 } auto output

-- ==
-- entry: im2col_used_twice
-- compiled random input { [3][11][13]f32 [5][12]f32 } auto output

-- ==
-- entry: stride_at_least_one
-- compiled input { 0i64 [1i32,2i32,3i32] [1i32,1i32] } output { [3i32,5i32] }
-- compiled input { -3i64 [1i32,2i32,3i32] [1i32,1i32] } output { [3i32,5i32] }
-- compiled input { 2i64 [1i32,2i32,3i32,4i32,5i32,6i32] [1i32,1i32] } output { [3i32,7i32,11i32] }

-- ==
-- entry: any_of
-- compiled random input { [7][11]bool [11][5]bool } auto output

-- ==
-- entry: all_of_all
-- compiled random input { [4][3]bool [4][3]bool } auto output
-- compiled input { [[true,true],[true,false]] [[true,true],[true,false]] } output { [[true,false],[false,true]] }

-- ==
-- entry: flat_matrices
-- compiled input { 2i64 2i64 3i64 [1f32,2f32,3f32,4f32] [2f32,1f32,1f32,1f32,1f32,5f32] } output { [[4f32,3f32,11f32],[10f32,7f32,23f32]] }
-- compiled input { 2i64 2i64 3i64 [1f32,2f32,3f32,4f32,9f32] [2f32,1f32,1f32,1f32,1f32,5f32] } output { [[4f32,3f32,11f32],[10f32,7f32,23f32]] }
-- compiled input { 2i64 0i64 3i64 [1f32] [2f32] } output { [[0f32,0f32,0f32],[0f32,0f32,0f32]] }
-- compiled input { 2i64 2i64 3i64 [1f32,2f32,3f32] [2f32,1f32,1f32,1f32,1f32,5f32] } error: out of bounds

-- ==
-- entry: flat_image
-- compiled input { 3i64 3i64 [1f32,2f32,3f32,4f32,5f32,6f32,7f32,8f32,9f32] [0f32,0f32,0f32,1f32,0f32,0f32,0f32,0f32,2f32] } output { [[22f32]] }
-- compiled input { 2i64 3i64 [1f32] [0f32,0f32,0f32,1f32,0f32,0f32,0f32,0f32,2f32] } output { empty([0][1]f32) }
-- compiled input { 3i64 3i64 [1f32] [0f32,0f32,0f32,1f32,0f32,0f32,0f32,0f32,2f32] } error: out of bounds

entry flat_points [h][w][k][l] (img: [h][w]f32) (f: [k][l]f32) =
  let (n, m) = (h - k + 1, w - l + 1)
  in unflatten (tabulate (n * m) (\q -> let (y, x) = (q / m, q % m) in f32.sum (tabulate k (\i -> f32.sum (tabulate l (\j -> img[y+i,x+j] * f[i,j]))))))

entry flat_points_of_three [a][b][c] (x: [a][b][c]i32) (y: [2][c]i32) =
  tabulate (a * b * 2) (\q -> i32.sum (tabulate c (\k -> x[q / (b * 2), q % (b * 2) / 2, k] * y[q % 2, k])))

entry flat_reduction [a][b][c] (x: [a][b][c]f32) (y: [b][c]f32) =
  tabulate a (\i -> f32.sum (tabulate (b * c) (\q -> x[i, q / c, q % c] * y[q / c, q % c])))

entry flat_reduction_of_three [c][h][w][k][l] (img: [c][h][w]f32) (f: [c][k][l]f32) =
  tabulate_2d (h - k + 1) (w - l + 1) (\y x -> f32.sum (tabulate (c * k * l) (\q -> let (n, i, j) = (q / (k * l), q % (k * l) / l, q % l) in img[n, y+i, x+j] * f[n,i,j])))

entry flat_operand [a][b][c][d] (x: [a][b][c]f32) (y: [c][d]f32) =
  let rows = flatten x in tabulate_3d a b d (\i j l -> f32.sum (tabulate c (\k -> rows[i * b + j, k] * y[k, l])))

entry reversed_and_flat [a][b][c][d] (x: [a][b][c]i64) (y: [c][d]i64) =
  let rows = flatten (reverse x) in tabulate_3d a b d (\i j l -> i64.sum (tabulate c (\k -> rows[i * b + j, k] * y[k, l])))

entry im2col_of_padded [c][h][w][o] (img: [c][h][w]f32) (f: [o][c*3*3]f32) : [o][h*w]f32 =
  let at n y x = if y >= 0 && y < h && x >= 0 && x < w then img[n,y,x] else 0
  let cols = flatten (tabulate_2d h w (\y x -> flatten_3d (tabulate_3d c 3 3 (\n i j -> at n (y+i-1) (x+j-1)))))
  in map (\g -> map (\col -> f32.sum (map2 (*) g col)) cols) f

entry im2col_used_twice [c][h][w][o] (img: [c][h][w]f32) (f: [o][c*2*2]f32) : ([o][(h-1)*(w-1)]f32, [(h-1)*(w-1)][c*2*2]f32) =
  let cols = flatten (tabulate_2d (h-1) (w-1) (\y x -> flatten_3d (tabulate_3d c 2 2 (\n i j -> img[n,y+i,x+j]))))
  in (map (\g -> map (\col -> f32.sum (map2 (*) g col)) cols) f, cols)

entry stride_at_least_one [n][k] (s: i64) (x: [n]i32) (f: [k]i32) =
  tabulate ((n - k) / i64.max 1 s + 1) (\i -> i32.sum (tabulate k (\j -> x[i * i64.max 1 s + j] * f[j])))

entry any_of [a][b][c] (x: [a][b]bool) (y: [b][c]bool) : [a][c]bool =
  map (\r -> map (\q -> reduce (||) false (map2 (&&) r q)) (transpose y)) x

-- `and` does not look at its second operand where the first one is false.
entry all_of_all [n][m] (x: [n][m]bool) (y: [n][m]bool) : [n][n]bool =
  tabulate_2d n n (\i j -> loop acc = true for k < m do acc && (loop a = true for _l < 1 do a && x[i, k] == y[j, k]))

-- That rows are whole is for the host to find out.
entry flat_matrices [d][e] (n: i64) (k: i64) (m: i64) (a: [d]f32) (b: [e]f32) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.sum (map (\l -> a[i * k + l] * b[l * m + j]) (iota k)))

entry flat_image (h: i64) (w: i64) (x: []f32) (f: [9]f32) : [][]f32 =
  tabulate_2d (h - 2) (w - 2) (\i j ->
    loop s = 0 for a < 3 do
      loop s for b < 3 do s + x[(i + a) * w + j + b] * f[a * 3 + b])
