-- Reductions that Futhark leaves to the threads of one block.
-- ==
-- entry: sums
-- input { [[1, 2, 3], [4, 5, 6]] } output { [6, 15] [6, 120] }
-- input { empty([0][3]i32) } output { empty([0]i32) empty([0]i32) }
-- input { empty([3][0]i32) } output { [0, 0, 0] [1, 1, 1] }
-- compiled random input { [3][1000]i32 } auto output

-- ==
-- entry: segmented
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 1, 1]]] } output { [[6, 15], [24, 3]] [15, 24] }
-- compiled random input { [3][17][31]i32 } auto output

-- ==
-- entry: not_commutative
-- input { [[[1, 1, 0, 1], [1, 0, 1, 1], [2, 1, 1, 1]], [[0, 1, 1, 0], [1, 2, 3, 4], [5, 6, 7, 8]]] }
-- output { [[5, 3, 3, 2], [43, 50, 19, 22]] }
-- compiled random input { [5][257][4]i32 } auto output

-- ==
-- entry: of_rows
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 1, 1]]] } output { [[5, 7, 9], [8, 9, 10]] }
-- compiled random input { [3][100][300]i32 } auto output

entry sums [n] [m] (xss: [n][m]i32) =
  #[incremental_flattening(only_intra)]
  map (\xs -> (i32.sum xs, i32.product xs)) xss |> unzip

entry segmented [n] [m] [k] (xsss: [n][m][k]i32) : ([n][m]i32, [n]i32) =
  #[incremental_flattening(only_intra)]
  map (\xss -> let sums = map i32.sum xss in (sums, i32.maximum sums)) xsss |> unzip

entry not_commutative [n] [m] (xss: [n][m][4]i32) : [n][4]i32 =
  #[incremental_flattening(only_intra)]
  map (\xs -> let op (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
              let (a, b, c, d) = reduce op (1, 0, 0, 1) (map (\x -> (x[0], x[1], x[2], x[3])) xs)
              in [a, b, c, d])
      xss

entry of_rows [n] [m] [k] (xsss: [n][m][k]i32) : [n][k]i32 =
  #[incremental_flattening(only_intra)]
  map (\xss -> reduce_comm (map2 (+)) (replicate k 0) xss) xsss
