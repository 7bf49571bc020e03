-- Every thread scans a row of its own.
-- ==
-- entry: sums
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 6], [4, 9, 15]] }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
-- compiled random input { [31][37]i32 } auto output

-- ==
-- entry: last_of_scan
-- input { [[1, 2, 3], [4, 5, 6]] } output { [4, 4] }

entry sums [n] [m] (xss: [n][m]i32) : [n][m]i32 = #[sequential_inner] map (\xs -> scan (+) 0 xs) xss

entry last_of_scan [n] [m] (xss: [n][m]i32) : [n]i32 =
  #[sequential_inner] map (\xs -> (scan i32.max i32.lowest (map (\x -> x * x % 7) xs))[m - 1]) xss
