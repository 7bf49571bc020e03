-- Every thread reduces its rows to a row, element by element.
-- ==
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[4, 6], [12, 14]] }
-- input { empty([2][0][3]i32) } output { [[0, 0, 0], [0, 0, 0]] }
-- compiled random input { [17][5][3]i32 } auto output

entry main [n] [m] [k] (xs: [n][m][k]i32) : [n][k]i32 =
  #[sequential_inner] map (\m -> reduce (map2 (+)) (replicate k 0) m) xs
