-- Threads flatten a window of two dimensions and regroup a row, so index arithmetic has divisions and remainders.
-- ==
-- entry: flat_windows
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[[1, 2, 4, 5], [2, 3, 5, 6]], [[4, 5, 7, 8], [5, 6, 8, 9]]] }
-- compiled random input { [11][13]i32 } auto output

-- ==
-- entry: regroup
-- input { [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]] }
-- output { [[[2, 10], [4, 30], [6, 50]], [[8, 70], [10, 90], [12, 110]]] }

entry flat_windows [h] [w] (img: [h][w]i32) : [][][4]i32 =
  tabulate_2d (h - 1) (w - 1) (\y x -> flatten (img[y:y + 2, x:x + 2] :> [2][2]i32) :> [4]i32)

entry regroup [n] (xs: [n][6]i32) : [n][3][2]i32 =
  map (\row -> let pairs = unflatten (row :> [3 * 2]i32) in map (\p -> [p[1], p[0] * 10]) pairs) xs
