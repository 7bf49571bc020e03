-- A convolution of the same size as its input, with zeros past the border.
-- ==
-- input { [[1]] [[5]] } output { [[5]] }
-- input { [[1, 2], [3, 4]] [[1, 1, 1], [1, 0, 1], [1, 1, 1]] } output { [[9, 8], [7, 6]] }
-- compiled random input { [19][21]i32 [5][3]i32 } auto output

entry main [h] [w] [kh] [kw] (img: [h][w]i32) (weights: [kh][kw]i32) : [h][w]i32 =
  let at (y: i64) (x: i64) = if y >= 0 && y < h && x >= 0 && x < w then img[y, x] else 0
  in tabulate_2d h w (\y x ->
       loop s = 0 for i < kh do
         (loop s for j < kw do s + weights[i, j] * at (y + i - kh / 2) (x + j - kw / 2)))
