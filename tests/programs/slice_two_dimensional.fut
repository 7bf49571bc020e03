-- Blocks, rows and columns of a matrix, as results and as input of kernels.
-- ==
-- entry: block
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] 1i64 0i64 } output { [[4, 5], [7, 8]] }

-- ==
-- entry: column
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 } output { [3, 6] [30, 60] }

-- ==
-- entry: mirrored
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[7, 6, 5], [4, 3, 2]] }
-- input { empty([0][3]i32) } output { empty([0][3]i32) }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }

-- ==
-- entry: corners
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[1, 3], [7, 9]] }

entry block (xs: [][]i32) (i: i64) (j: i64) : [2][2]i32 = xs[i:i + 2, j:j + 2] :> [2][2]i32

entry column (xs: [][]i32) (j: i64) : ([]i32, []i32) = (xs[:, j], map (* 10) xs[:, j])

entry mirrored [n] [m] (xs: [n][m]i32) : [n][m]i32 = map (map (+ 1)) (xs[::-1, ::-1] :> [n][m]i32)

entry corners (xs: [][]i32) : [][]i32 = xs[::2, ::2]
