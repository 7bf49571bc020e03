-- Convolution with a stride and a dilation that the input gives, over channels and filters.
-- ==
-- input { 1i64 1i64 [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]] [[[[1, 0], [0, 1]]]] } output { [[[6, 8], [12, 14]]] }
-- input { 2i64 2i64 [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]]] [[[[1, 2], [3, 4]]]] }
-- output { [[[92, 112]]] }
-- compiled random input { 2i64 3i64 [2][17][19]i32 [3][2][3][3]i32 } auto output

entry main [c] [h] [w] [o] [k] (s: i64) (d: i64) (img: [c][h][w]i32) (filters: [o][c][k][k]i32) : [o][][]i32 =
  let extent (n: i64) = (n - (k - 1) * d - 1) / s + 1
  in tabulate_3d o (extent h) (extent w) (\z y x ->
       #[sequential_inner]
       i32.sum (tabulate c (\l ->
         i32.sum (tabulate k (\i ->
           i32.sum (tabulate k (\j -> filters[z, l, i, j] * img[l, y * s + i * d, x * s + j * d])))))))
