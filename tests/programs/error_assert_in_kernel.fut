-- A failing assertion in a thread, also inside loops and branches.
-- ==
-- entry: plain
-- input { [1, 2, 3] } output { [2, 4, 6] }
-- input { [1, -2, 3] } error: Assertion is false: \(x > 0\)
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: in_loop
-- input { [1, 2, 3] 2 } output { [2, 3, 4] }
-- input { [1, 2, 3] 6 } error: Assertion is false

-- ==
-- entry: in_branch
-- input { [1, 2, 3] 5 } output { [0, 0, 0] }
-- input { [1, 2, 3] 2 } error: Assertion is false

entry plain (xs: []i32) : []i32 = map (\x -> assert (x > 0) (x * 2)) xs

entry in_loop (xs: []i32) (k: i32) : []i32 = map (\x -> loop s = x for i < k do assert (i * x < 12) (s + i)) xs

entry in_branch (xs: []i32) (k: i32) : []i32 = map (\x -> if x > k then assert (x < 0) x else 0) xs
