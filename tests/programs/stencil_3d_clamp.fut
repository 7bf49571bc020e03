-- A seven-point stencil in three dimensions; past the border the nearest element is read.
-- ==
-- input { [[[1]]] } output { [[[0]]] }
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[[7, 5], [3, 1]], [[-1, -3], [-5, -7]]] }
-- input { empty([2][0][3]i32) } output { empty([2][0][3]i32) }
-- compiled random input { [7][11][13]i32 } auto output

entry main [d] [h] [w] (xs: [d][h][w]i32) : [d][h][w]i32 =
  tabulate_3d d h w (\z y x ->
    xs[i64.max 0 (z - 1), y, x] + xs[i64.min (d - 1) (z + 1), y, x]
    + xs[z, i64.max 0 (y - 1), x] + xs[z, i64.min (h - 1) (y + 1), x]
    + xs[z, y, i64.max 0 (x - 1)] + xs[z, y, i64.min (w - 1) (x + 1)] - 6 * xs[z, y, x])
