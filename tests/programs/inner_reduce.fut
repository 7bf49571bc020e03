-- Every thread reduces a row of its own.
-- ==
-- entry: sums
-- input { [[1, 2, 3], [4, 5, 6]] } output { [6, 15] }
-- input { empty([2][0]i32) } output { [0, 0] }
-- input { empty([0][2]i32) } output { empty([0]i32) }
-- compiled random input { [257][3]i32 } auto output
-- compiled random input { [3][257]i32 } auto output

-- ==
-- entry: extremes
-- input { [[1, 5, 3], [-4, -5, -6]] } output { [1, -6] [5, -4] }

-- ==
-- entry: commutative
-- input { [[1u8, 2u8], [255u8, 1u8]] } output { [2u8, 255u8] }

entry sums [n] [m] (xss: [n][m]i32) : [n]i32 = #[sequential_inner] map (\xs -> reduce (+) 0 xs) xss

entry extremes [n] [m] (xss: [n][m]i32) : ([n]i32, [n]i32) =
  unzip (#[sequential_inner] map (\xs -> (i32.minimum xs, i32.maximum xs)) xss)

entry commutative [n] [m] (xss: [n][m]u8) : [n]u8 =
  #[sequential_inner] map (\xs -> reduce_comm (*) 1 xs) xss
