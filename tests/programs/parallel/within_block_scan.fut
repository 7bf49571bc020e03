-- Scans that Futhark leaves to the threads of one block.
-- ==
-- entry: sums
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 6], [4, 9, 15]] }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
-- compiled random input { [3][1000]i32 } auto output

-- ==
-- entry: segmented
-- input { [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 1, 1]]] }
-- output { [[[1, 3, 6], [4, 9, 15]], [[7, 15, 24], [1, 2, 3]]] [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 1, 1]]] }
-- compiled random input { [3][17][31]i32 } auto output

-- ==
-- entry: of_rows
-- input { [[[1, 2], [3, 4], [5, 6]]] } output { [[[1, 2], [4, 6], [9, 12]]] }
-- compiled random input { [2][40][20]i32 } auto output

-- ==
-- entry: filtered
-- input { [[1, -2, 3, -4], [-1, -1, -1, 5]] } output { [[1, 3, 0, 0], [5, 0, 0, 0]] }
-- compiled random input { [5][600]i32 } auto output

entry sums [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (scan (+) 0) xss

entry segmented [n] [m] [k] (xsss: [n][m][k]i32) : ([n][m][k]i32, [n][m][k]i32) =
  #[incremental_flattening(only_intra)]
  map (\xss -> let yss = map (map i32.abs) xss in (map (scan (+) 0) yss, yss)) xsss |> unzip

entry of_rows [n] [m] [k] (xsss: [n][m][k]i32) : [n][m][k]i32 =
  #[incremental_flattening(only_intra)]
  map (\xss -> scan (map2 (+)) (replicate k 0) xss) xsss

-- The kept elements first, then zeros: a scan gives the places that a scatter writes to.
entry filtered [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (\xs -> let keep = map (\x -> i64.bool (x > 0)) xs
              let places = map2 (\k at -> if k == 1 then at - 1 else -1) keep (scan (+) 0 keep)
              in scatter (replicate m 0) places xs)
      xss
