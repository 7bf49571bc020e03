-- Replication of scalars, of rows and inside threads.
-- ==
-- entry: scalar
-- input { 3i64 7 } output { [7, 7, 7] }
-- input { 0i64 7 } output { empty([0]i32) }

-- ==
-- entry: row
-- input { 3i64 [1, 2] } output { [[1, 2], [1, 2], [1, 2]] }
-- input { 0i64 [1, 2] } output { empty([0][2]i32) }
-- input { 2i64 empty([0]i32) } output { empty([2][0]i32) }

-- ==
-- entry: columns
-- input { 3i64 [1, 2] } output { [[1, 1, 1], [2, 2, 2]] }

-- ==
-- entry: blocks
-- input { 2i64 3i64 5u8 } output { [[5u8, 5u8, 5u8], [5u8, 5u8, 5u8]] }

entry scalar (n: i64) (x: i32) : []i32 = replicate n x

entry row (n: i64) (xs: []i32) : [][]i32 = replicate n xs

entry columns [m] (n: i64) (xs: [m]i32) : [m][n]i32 = map (replicate n) xs

entry blocks (n: i64) (m: i64) (x: u8) : [n][m]u8 = replicate n (replicate m x)
