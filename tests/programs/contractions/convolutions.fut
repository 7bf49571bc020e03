-- Windows moved over arrays: the ways in which convolutions and their relatives are written.

-- ==
-- entry: filter_1d
-- compiled random input { [1]f32 [1]f32 } auto output
-- compiled random input { [37]f32 [5]f32 } auto output
-- compiled random input { [1000]f32 [16]f32 } auto output

-- ==
-- entry: accumulating_loop
-- compiled random input { [3][3]f32 [3][3]f32 } auto output
-- compiled random input { [41][67]f32 [3][3]f32 } auto output

-- ==
-- entry: roots
-- compiled random input { [3][3]f32 [3][3]f32 } auto output
-- compiled random input { [41][67]f32 [3][3]f32 } auto output

-- ==
-- entry: depthwise
-- compiled random input { [1][3][3]f32 [1][3][3]f32 } auto output
-- compiled random input { [5][19][23]f32 [5][3][3]f32 } auto output

-- ==
-- entry: channels_last
-- compiled random input { [3][3][1]f32 [3][3][1][1]f32 } auto output
-- compiled random input { [17][13][7]f32 [3][3][7][5]f32 } auto output
-- compiled random input { [20][36][8]f32 [3][3][8][16]f32 } auto output

-- ==
-- entry: convolution_3d
-- compiled random input { [3][3][3]f32 [3][3][3]f32 } auto output
-- compiled random input { [11][13][17]f32 [3][3][3]f32 } auto output

-- ==
-- entry: batched
-- compiled random input { [2][3][11][13]f32 [5][3][2][2]f32 } auto output
-- compiled random input { [3][4][20][24]f32 [8][4][3][3]f32 } auto output

-- ==
-- entry: bias_and_relu
-- compiled random input { [3][11][13]f32 [5][3][3][3]f32 [5]f32 } auto output
-- compiled random input { [8][30][34]f32 [16][8][3][3]f32 [16]f32 } auto output

-- ==
-- entry: strided
-- compiled random input { [3][11][13]f32 [5][3][3][3]f32 } auto output
-- compiled random input { [8][31][35]f32 [16][8][3][3]f32 } auto output

-- ==
-- entry: literal_filter
-- compiled random input { [3][3]f32 } auto output
-- compiled random input { [45][71]f32 } auto output

-- ==
-- entry: grouped
-- compiled random input { [2][3][11][13]f32 [2][5][3][3][3]f32 } auto output

-- ==
-- entry: dilated
-- compiled random input { [9][9]f32 [3][3]f32 [2]f32 } auto output
-- compiled random input { [45][71]f32 [3][3]f32 [3]f32 } auto output

-- ==
-- entry: dilation_i32
-- compiled random input { [5][5]i32 } auto output
-- compiled random input { [45][71]i32 } auto output

entry filter_1d [n][k] (xs: [n]f32) (w: [k]f32) : [n-k+1]f32 =
  tabulate (n-k+1) (\i -> reduce (+) 0 (map2 (*) (xs[i:i+k] :> [k]f32) w))

entry accumulating_loop [h][w] (img: [h][w]f32) (f: [3][3]f32) : [h-2][w-2]f32 =
  tabulate_2d (h-2) (w-2) (\y x -> loop s = 0 for i < 3 do loop s for j < 3 do s + img[y+i,x+j]*f[i,j])

entry depthwise [c][h][w] (img: [c][h][w]f32) (f: [c][3][3]f32) : [c][h-2][w-2]f32 =
  tabulate_3d c (h-2) (w-2) (\n y x -> f32.sum (map2 (\r g -> f32.sum (map2 (*) r g)) (img[n,y:y+3,x:x+3] :> [3][3]f32) f[n]))

entry channels_last [h][w][c][o] (img: [h][w][c]f32) (f: [3][3][c][o]f32) : [h-2][w-2][o]f32 =
  tabulate_3d (h-2) (w-2) o (\y x z -> f32.sum (tabulate 3 (\i -> f32.sum (tabulate 3 (\j -> f32.sum (tabulate c (\n -> img[y+i,x+j,n]*f[i,j,n,z])))))))

entry convolution_3d [d][h][w] (img: [d][h][w]f32) (f: [3][3][3]f32) : [d-2][h-2][w-2]f32 =
  tabulate_3d (d-2) (h-2) (w-2) (\z y x -> f32.sum (flatten_3d (map3 (\a b _ -> map2 (\r g -> map2 (*) r g) a b) (img[z:z+3,y:y+3,x:x+3] :> [3][3][3]f32) f (iota 3))))

entry batched [b][c][h][w][o][k] (img: [b][c][h][w]f32) (f: [o][c][k][k]f32) : [b][o][h-k+1][w-k+1]f32 =
  map (\im -> tabulate_3d o (h-k+1) (w-k+1) (\z y x -> f32.sum (map2 (\i g -> f32.sum (map2 (\r q -> f32.sum (map2 (*) r q)) (i[y:y+k,x:x+k] :> [k][k]f32) g)) im f[z]))) img

entry bias_and_relu [c][h][w][o] (img: [c][h][w]f32) (f: [o][c][3][3]f32) (b: [o]f32) : [o][h-2][w-2]f32 =
  tabulate_3d o (h-2) (w-2) (\z y x -> f32.max 0 (b[z] + f32.sum (map2 (\i g -> f32.sum (map2 (\r q -> f32.sum (map2 (*) r q)) (i[y:y+3,x:x+3] :> [3][3]f32) g)) img f[z])))

entry strided [c][h][w][o] (img: [c][h][w]f32) (f: [o][c][3][3]f32) : [o][(h-1)/2][(w-1)/2]f32 =
  tabulate_3d o ((h-1)/2) ((w-1)/2) (\z y x -> f32.sum (tabulate c (\n -> f32.sum (tabulate 3 (\i -> f32.sum (tabulate 3 (\j -> img[n,2*y+i,2*x+j]*f[z,n,i,j])))))))

entry literal_filter [h][w] (img: [h][w]f32) : [h-2][w-2]f32 =
  let f = [[1f32,2,1],[2,4,2],[1,2,1]] in tabulate_2d (h-2) (w-2) (\y x -> f32.sum (flatten (tabulate_2d 3 3 (\i j -> img[y+i,x+j]*f[i,j]))))

entry grouped [g][c][h][w][o] (img: [g][c][h][w]f32) (f: [g][o][c][3][3]f32) : [g][o][h-2][w-2]f32 =
  map2 (\im fl -> tabulate_3d o (h-2) (w-2) (\z y x -> f32.sum (map2 (\i q -> f32.sum (map2 (\r s -> f32.sum (map2 (*) r s)) (i[y:y+3,x:x+3] :> [3][3]f32) q)) im fl[z]))) img f

entry dilated [h][w][d] (img: [h][w]f32) (f: [3][3]f32) (_: [d]f32) : [h - 2 * d][w - 2 * d]f32 =
  tabulate_2d (h-2*(d)) (w-2*(d)) (\y x -> f32.sum (flatten (tabulate_2d 3 3 (\i j -> img[y+i*d,x+j*d]*f[i,j]))))

entry dilation_i32 [h][w] (img: [h][w]i32) : [h-4][w-4]i32 =
  tabulate_2d (h-4) (w-4) (\y x -> i32.maximum (flatten (img[y:y+5,x:x+5] :> [5][5]i32)))

-- A function of the elements before they are weighted.
entry roots [h][w] (img: [h][w]f32) (f: [3][3]f32) : [h-2][w-2]f32 =
  tabulate_2d (h-2) (w-2) (\y x ->
    f32.sum (flatten (map2 (map2 (\v weight -> f32.sqrt v * weight)) (img[y:y+3, x:x+3] :> [3][3]f32) f)))
