-- Rows are reduced in parallel; few long rows, many short ones, and empty ones.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [6, 15] }
-- input { empty([0][3]i32) } output { empty([0]i32) }
-- input { empty([3][0]i32) } output { [0, 0, 0] }
-- compiled random input { [2][1021]i32 } auto output
-- compiled random input { [1021][2]i32 } auto output
-- compiled random input { [255][257]i32 } auto output

entry main [n] [m] (xss: [n][m]i32) : [n]i32 = map i32.sum xss
