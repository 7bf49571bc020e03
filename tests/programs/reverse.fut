-- Reversal of arrays, of rows, and in the middle of other operations.
-- ==
-- entry: whole
-- input { [1, 2, 3] } output { [3, 2, 1] }
-- input { [1] } output { [1] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: rows
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[3, 2, 1], [6, 5, 4]] [[5, 6, 7], [2, 3, 4]] }

-- ==
-- entry: last_first
-- input { [1, 2, 3] [10, 20, 30] } output { [29, 18, 7] }

entry whole (xs: []i32) : []i32 = reverse xs

entry rows (xs: [][]i32) : ([][]i32, [][]i32) = (map reverse xs, reverse (map (map (+ 1)) xs))

entry last_first [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (-) (reverse ys) xs
