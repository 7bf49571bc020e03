-- Filtering and partitioning, whose sizes only the data decide.
-- ==
-- entry: positives
-- input { [3, -1, 0, 5] } output { [6, 10] }
-- input { [-1] } output { empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) }
-- compiled random input { [1009]i32 } auto output

-- ==
-- entry: parts
-- input { [3, -1, 0, 5, -2] } output { [0, -2] [3, -1, 5] }

entry positives (xs: []i32) : []i32 = map (* 2) (filter (> 0) xs)

entry parts (xs: []i32) : ([]i32, []i32) = partition (\x -> x % 2 == 0) xs
