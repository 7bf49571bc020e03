-- Dilation and erosion of an image: the convolution's shape with maximum and minimum.
-- ==
-- input { [[1, 5, 2], [8, 3, 4], [7, 6, 9]] 2i64 } output { [[8, 5], [8, 9]] [[1, 2], [3, 3]] }
-- input { [[1, 5, 2]] 1i64 } output { [[1, 5, 2]] [[1, 5, 2]] }
-- compiled random input { [21][33]i32 3i64 } auto output

entry main [h] [w] (img: [h][w]i32) (k: i64) : ([][]i32, [][]i32) =
  let fold (f: i32 -> i32 -> i32) (start: i32) =
    tabulate_2d (h - k + 1) (w - k + 1) (\y x ->
      loop s = start for i < k do (loop s for j < k do f s img[y + i, x + j]))
  in (fold i32.max i32.lowest, fold i32.min i32.highest)
