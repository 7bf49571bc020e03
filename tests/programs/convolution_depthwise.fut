-- Every channel has a filter of its own.
-- ==
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] [[[1, 1]], [[2, -1]]] } output { [[[3], [7]], [[4], [6]]] }
-- compiled random input { [5][13][17]i32 [5][3][2]i32 } auto output

entry main [c] [h] [w] [kh] [kw] (img: [c][h][w]i32) (filters: [c][kh][kw]i32) : [c][][]i32 =
  tabulate_3d c (h - kh + 1) (w - kw + 1) (\z y x ->
    loop s = 0 for i < kh do (loop s for j < kw do s + img[z, y + i, x + j] * filters[z, i, j]))
