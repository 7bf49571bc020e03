-- Every row is scanned; the scan over flags restarts inside one array.
-- ==
-- entry: rows
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 6], [4, 9, 15]] }
-- input { empty([3][0]i32) } output { empty([3][0]i32) }
-- compiled random input { [3][257]i32 } auto output
-- compiled random input { [257][3]i32 } auto output

-- ==
-- entry: flags
-- input { [true, false, true, false, false] [1, 2, 3, 4, 5] } output { [1, 3, 3, 7, 12] }

entry rows [n] [m] (xss: [n][m]i32) : [n][m]i32 = map (scan (+) 0) xss

entry flags [n] (fs: [n]bool) (xs: [n]i32) : [n]i32 =
  map (.1) (scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0) (zip fs xs))
