-- Reshapes on the host: flatten, unflatten, and back after a transposition, where the elements must move.
-- ==
-- entry: flat
-- input { [[1, 2, 3], [4, 5, 6]] } output { [1, 2, 3, 4, 5, 6] }
-- input { empty([0][3]i32) } output { empty([0]i32) }
-- input { empty([3][0]i32) } output { empty([0]i32) }

-- ==
-- entry: moved
-- input { [[1, 2, 3], [4, 5, 6]] } output { [1, 4, 2, 5, 3, 6] }
-- compiled random input { [17][31]i32 } auto output

-- ==
-- entry: split
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] } output { [[1, 2, 3], [4, 5, 6]] }
-- input { 0i64 3i64 empty([0]i32) } output { empty([0][3]i32) }
-- input { 2i64 2i64 [1, 2, 3, 4, 5, 6] } error: Error

-- ==
-- entry: cube
-- input { [1, 2, 3, 4, 5, 6, 7, 8] } output { [[[1, 3], [2, 4]], [[5, 7], [6, 8]]] }

-- Rows of parts, of which each is changed as it lies.
-- ==
-- entry: parts
-- input { [[[1, 2, 3], [4, 5, 6]]] } output { [[9, 2], [9, 5]] }
-- compiled random input { [17][2][31]i32 } auto output

entry flat (xs: [][]i32) : []i32 = flatten xs

entry moved (xs: [][]i32) : []i32 = flatten (transpose xs)

entry split [k] (n: i64) (m: i64) (xs: [k]i32) : [n][m]i32 = unflatten (xs :> [n * m]i32)

entry cube (xs: [8]i32) : [2][2][2]i32 = map transpose (unflatten_3d (xs :> [2 * 2 * 2]i32))

entry parts [n] [m] (xs: [n][2][m]i32) : [][2]i32 =
  map (\row -> copy row with [0] = 9) (flatten xs[:, :, 0:2])
