-- Concatenation on the host, of two and of three arrays and of rows.
-- ==
-- entry: three
-- input { [1, 2] [3] } output { [2, 3, 3, 2, 4] }
-- input { empty([0]i32) [3] } output { [3] }
-- input { [1, 2] empty([0]i32) } output { [2, 3, 2, 4] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: rows
-- input { [[1, 2]] [[3, 4], [5, 6]] } output { [[1, 2], [3, 4], [5, 6]] }
-- input { empty([0][2]i32) [[3, 4]] } output { [[3, 4]] }

-- ==
-- entry: columns
-- input { [[1], [2]] [[3, 4], [5, 6]] } output { [[1, 3, 4], [2, 5, 6]] }

entry three (xs: []i32) (ys: []i32) : []i32 = map (+ 1) xs ++ ys ++ map (* 2) xs

entry rows [m] (xs: [][m]i32) (ys: [][m]i32) : [][m]i32 = xs ++ ys

entry columns [n] [k] [m] (xs: [n][k]i32) (ys: [n][m]i32) : [n][]i32 = transpose (transpose xs ++ transpose ys)
