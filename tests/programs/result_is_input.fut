-- Entry points that return their inputs, the same array twice, or slices of one.
-- ==
-- entry: same
-- input { [1, 2] } output { [1, 2] }

-- ==
-- entry: twice
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] [3, 4] [[1, 3], [2, 4]] }

-- ==
-- entry: scalar
-- input { 5u16 true } output { true 5u16 }

entry same (xs: []i32) : []i32 = xs

entry twice (xs: [][]i32) : ([][]i32, []i32, [][]i32) = (xs, xs[1], transpose xs)

entry scalar (x: u16) (b: bool) : (bool, u16) = (b, x)
