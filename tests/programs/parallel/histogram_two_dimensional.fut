-- A histogram with two keys, one for every row of a matrix, and one of rows.
-- ==
-- entry: two_keys
-- input { [0i64, 1i64, 1i64] [1i64, 0i64, 0i64] } output { [[0, 1], [2, 0]] }

-- ==
-- entry: per_row
-- input { [[0i64, 1i64, 1i64], [2i64, 2i64, 0i64]] } output { [[1, 2, 0], [1, 0, 2]] }

-- ==
-- entry: of_rows
-- input { [1i64, 1i64, 0i64] [[1, 2], [3, 4], [5, 6]] } output { [[5, 6], [4, 6]] }

entry two_keys [n] (is: [n]i64) (js: [n]i64) : [2][2]i32 =
  reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (zip is js) (replicate n 1)

entry per_row [n] [m] (xss: [n][m]i64) : [n][3]i32 = map (\xs -> hist (+) 0 3 xs (replicate m 1)) xss

entry of_rows [n] (keys: [n]i64) (xss: [n][2]i32) : [2][2]i32 = hist (map2 (+)) [0, 0] 2 keys xss
