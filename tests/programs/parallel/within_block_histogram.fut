-- Histograms that Futhark leaves to the threads of one block; places outside of the bins are ignored.
-- ==
-- entry: counts
-- input { 3i64 [[0i64, 1i64, 1i64, 5i64], [2i64, 2i64, -1i64, 2i64]] } output { [[1, 2, 0], [0, 0, 3]] }
-- input { 0i64 [[0i64], [1i64]] } output { empty([2][0]i32) }

-- ==
-- entry: largest
-- input { [[0i64, 1i64, 1i64, 5i64], [2i64, 2i64, -1i64, 2i64]] [7, 3, 9, 8] }
-- output { [[7, 9, -1], [-1, -1, 8]] [[0i64, 2i64, -1i64], [-1i64, -1i64, 3i64]] }

-- ==
-- entry: rows
-- input { [[0i64, 1i64, 1i64], [2i64, 2i64, 2i64]] [[1, 2], [3, 4], [5, 6]] }
-- output { [[[1, 2], [8, 10], [0, 0]], [[0, 0], [0, 0], [9, 12]]] }

entry counts [n] [m] (k: i64) (xss: [n][m]i64) : [n][k]i32 =
  #[incremental_flattening(only_intra)]
  map (\xs -> hist (+) 0 k xs (map (const 1) xs)) xss

-- The largest value of each bin, and where it was.
entry largest [n] [m] (bins: [n][m]i64) (values: [m]i32) =
  #[incremental_flattening(only_intra)]
  map (\bs -> let op (x, i) (y, j) = if x > y || (x == y && i > j) then (x, i) else (y, j)
              in unzip (hist op (-1, -1) 3 bs (zip values (iota m))))
      bins
  |> unzip

entry rows [n] [m] [k] (bins: [n][m]i64) (values: [m][k]i32) : [n][3][k]i32 =
  #[incremental_flattening(only_intra)]
  map (\bs -> hist (map2 (+)) (replicate k 0) 3 bs values) bins
