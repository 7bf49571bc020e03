-- Windows that reach beyond the border, where there are zeros, and sums of which a condition on the indices takes a part.

-- ==
-- entry: zero_padding_of_products
-- compiled random input { [1][1]f32 [3][3]f32 } auto output
-- compiled random input { [33][47]f32 [5][5]f32 } auto output

-- ==
-- entry: zero_padding
-- compiled random input { [1][1]f32 [3][3]f32 } auto output
-- compiled random input { [33][47]f32 [3][3]f32 } auto output
-- compiled random input { [64][64]f32 [3][3]f32 } auto output

-- ==
-- entry: padding_by_concatenation
-- compiled random input { [1][1]f32 [3][3]f32 } auto output
-- compiled random input { [33][47]f32 [3][3]f32 } auto output

-- ==
-- entry: zero_padding_of_whole_products
-- compiled random input { [1][1]i32 [3][3]i32 } auto output
-- compiled random input { [33][47]i32 [5][5]i32 } auto output

-- ==
-- entry: triangle sums_of_some not_in_the_first_row
-- compiled random input { [1][1]f32 [1][1]f32 } auto output
-- compiled random input { [33][33]f32 [33][47]f32 } auto output

-- ==
-- entry: causal
-- compiled random input { [0]f32 [3]f32 } auto output
-- compiled random input { [8]f32 [4]f32 } auto output
-- compiled random input { [64]f32 [3]f32 } auto output

-- ==
-- entry: backward_data
-- compiled random input { [2][8][4]f32 [2][3][2][2]f32 } auto output
-- compiled random input { [3][7][12]f32 [3][4][3][3]f32 } auto output

-- ==
-- entry: of_two_images
-- compiled random input { [1][1][1]f32 [2][1][1]f32 [2][3][3][3]f32 } auto output
-- compiled random input { [3][13][11]f32 [2][13][11]f32 [4][5][3][3]f32 } auto output
-- compiled random input { [0][9][7]f32 [2][9][7]f32 [3][2][3][3]f32 } auto output

entry zero_padding_of_products [h][w][k] (img: [h][w]f32) (f: [k][k]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> f32.sum (flatten (tabulate_2d k k (\i j -> let yy = y+i-k/2 let xx = x+j-k/2 in if yy>=0 && yy<h && xx>=0 && xx<w then img[yy,xx]*f[i,j] else 0))))

entry zero_padding [h][w] (img: [h][w]f32) (f: [3][3]f32) : [h][w]f32 =
  let at y x = if y>=0 && y<h && x>=0 && x<w then img[y,x] else 0 in tabulate_2d h w (\y x -> f32.sum (flatten (tabulate_2d 3 3 (\i j -> at (y+i-1) (x+j-1) * f[i,j]))))

entry padding_by_concatenation [h][w] (img: [h][w]f32) (f: [3][3]f32) : [h][w]f32 =
  let row = replicate 1 (replicate (w+2) 0f32) let p = row ++ map (\r -> [0f32] ++ r ++ [0] :> [w+2]f32) img ++ row :> [h+2][w+2]f32 in tabulate_2d h w (\y x -> f32.sum (flatten (tabulate_2d 3 3 (\i j -> p[y+i,x+j]*f[i,j]))))

-- Of integers, zero times anything is zero.
entry zero_padding_of_whole_products [h][w][k] (img: [h][w]i32) (f: [k][k]i32) : [h][w]i32 =
  tabulate_2d h w (\y x -> i32.sum (flatten (tabulate_2d k k (\i j -> let yy = y+i-k/2 let xx = x+j-k/2 in if yy>=0 && yy<h && xx>=0 && xx<w then img[yy,xx]*f[i,j] else 0))))

entry triangle [n][m] (a: [n][n]f32) (b: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.sum (tabulate n (\k -> if k <= i then a[i,k]*b[k,j] else 0)))

entry sums_of_some [n][m] (a: [n][n]f32) (b: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j -> loop s = 0 for k < n do if (i + k) % 3 != 0 then s + a[i,k]*b[k,j] else s)

entry not_in_the_first_row [n][m] (a: [n][n]f32) (b: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j -> if i == 0 then 0 else 1 + f32.sum (tabulate n (\k -> a[i,k]*b[k,j])))

-- Of what came before.
entry causal [n][k] (x: [n]f32) (f: [k]f32) : [n]f32 =
  tabulate n (\i -> f32.sum (tabulate k (\j -> if i - j >= 0 then x[i - j] * f[j] else 0)))

-- The gradient of a convolution by its input.
entry backward_data [o][h][w][l][k] (dy: [o][h][w]f32) (f: [o][l][k][k]f32) : [l][][]f32 =
  tabulate_3d l (h + k - 1) (w + k - 1) (\c y x ->
    f32.sum (tabulate o (\out ->
      f32.sum (flatten (tabulate_2d k k (\i j ->
        if y - i >= 0 && y - i < h && x - j >= 0 && x - j < w then dy[out, y - i, x - j] * f[out, c, i, j] else 0))))))

-- Channels of two images, side by side (the skip connection of a U-Net).
entry of_two_images [c][d][h][w][n][o] (a: [c][h][w]f32) (b: [d][h][w]f32) (f: [o][n][3][3]f32) : [o][h][w]f32 =
  let both = a ++ b :> [n][h][w]f32
  let at k y x = if y < 0 || x < 0 || y >= h || x >= w then 0 else both[k, y, x]
  in map (\g -> tabulate_2d h w (\y x -> f32.sum (flatten_3d (tabulate_3d n 3 3 (\k i j -> g[k, i, j] * at k (y + i - 1) (x + j - 1)))))) f
