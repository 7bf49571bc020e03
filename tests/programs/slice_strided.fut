-- Slices with steps, backwards too, taken on the host and then used in a kernel.
-- ==
-- entry: every
-- input { [0, 1, 2, 3, 4, 5, 6] 2i64 } output { [100, 102, 104, 106] }
-- input { [0, 1, 2, 3, 4, 5, 6] 3i64 } output { [100, 103, 106] }
-- input { [0, 1, 2, 3, 4, 5, 6] 7i64 } output { [100] }
-- input { [0, 1, 2, 3, 4, 5, 6] 9i64 } output { [100] }
-- input { empty([0]i32) 1i64 } output { empty([0]i32) }

-- ==
-- entry: backwards
-- input { [0, 1, 2, 3, 4, 5, 6] } output { [6, 5, 4, 3, 2, 1, 0] [12, 8, 4, 0] }
-- input { [5] } output { [5] [10] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }

-- ==
-- entry: part_backwards
-- input { [0, 1, 2, 3, 4, 5, 6] 5i64 1i64 -2i64 } output { [6, 4] }
-- input { [0, 1, 2, 3, 4, 5, 6] 6i64 0i64 -3i64 } output { [7, 4] }
-- input { [0, 1, 2, 3, 4, 5, 6] 1i64 6i64 2i64 } output { [2, 4, 6] }
-- input { [0, 1, 2, 3, 4, 5, 6] 6i64 -2i64 -3i64 } error: out of bounds

entry every (xs: []i32) (s: i64) : []i32 = map (+ 100) xs[::s]

entry backwards (xs: []i32) : ([]i32, []i32) = (xs[::-1], map (* 2) xs[::-2])

entry part_backwards (xs: []i32) (i: i64) (j: i64) (s: i64) : []i32 = map (+ 1) xs[i:j:s]
