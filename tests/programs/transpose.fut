-- Transposition alone, before a kernel, after one, and twice.
-- ==
-- entry: alone
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] }
-- input { empty([0][2]i32) } output { empty([2][0]i32) }
-- input { empty([2][0]i32) } output { empty([0][2]i32) }
-- input { [[1]] } output { [[1]] }
-- compiled random input { [257][3]i32 } auto output

-- ==
-- entry: before
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2, 5], [4, 7], [6, 9]] }

-- ==
-- entry: after
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2, 8], [4, 10], [6, 12]] }

-- ==
-- entry: twice
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2, 4, 6], [8, 10, 12]] }

entry alone (xs: [][]i32) : [][]i32 = transpose xs

entry before (xs: [][]i32) : [][]i32 = map (\row -> map (+ row[0]) row) (transpose xs)

entry after (xs: [][]i32) : [][]i32 = transpose (map (map (* 2)) xs)

entry twice (xs: [][]i32) : [][]i32 = transpose (map (map (* 2)) (transpose xs))
