-- Windows that reach beyond the border, where there are zeros.

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

entry zero_padding_of_products [h][w][k] (img: [h][w]f32) (f: [k][k]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> f32.sum (flatten (tabulate_2d k k (\i j -> let yy = y+i-k/2 let xx = x+j-k/2 in if yy>=0 && yy<h && xx>=0 && xx<w then img[yy,xx]*f[i,j] else 0))))

entry zero_padding [h][w] (img: [h][w]f32) (f: [3][3]f32) : [h][w]f32 =
  let at y x = if y>=0 && y<h && x>=0 && x<w then img[y,x] else 0 in tabulate_2d h w (\y x -> f32.sum (flatten (tabulate_2d 3 3 (\i j -> at (y+i-1) (x+j-1) * f[i,j]))))

entry padding_by_concatenation [h][w] (img: [h][w]f32) (f: [3][3]f32) : [h][w]f32 =
  let row = replicate 1 (replicate (w+2) 0f32) let p = row ++ map (\r -> [0f32] ++ r ++ [0] :> [w+2]f32) img ++ row :> [h+2][w+2]f32 in tabulate_2d h w (\y x -> f32.sum (flatten (tabulate_2d 3 3 (\i j -> p[y+i,x+j]*f[i,j]))))
