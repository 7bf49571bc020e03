-- Branches on the host that return arrays: of other sizes, of other layouts, one of them an input.
-- ==
-- entry: same_size
-- input { true [1, 2, 3] } output { [2, 3, 4] }
-- input { false [1, 2, 3] } output { [1, 2, 3] }

-- ==
-- entry: other_size
-- input { true [1, 2, 3] } output { [1, 2, 3, 1, 2, 3] }
-- input { false [1, 2, 3] } output { [2, 3] }

-- ==
-- entry: other_layout
-- input { true [[1, 2], [3, 4]] } output { [[2, 4], [4, 6]] 3 }
-- input { false [[1, 2], [3, 4]] } output { [[4, 6], [12, 14]] 4 }

-- ==
-- entry: error_on_one_side
-- input { 0i64 [1, 2, 3] } output { [2, 4, 6] }
-- input { 2i64 [1, 2, 3] } output { [4, 5, 6] }
-- input { 7i64 [1, 2, 3] } error: out of bounds

entry same_size [n] (b: bool) (xs: [n]i32) : [n]i32 = if b then map (+ 1) xs else xs

entry other_size (b: bool) (xs: []i32) : []i32 = if b then xs ++ xs else xs[1:]

entry other_layout [n] (b: bool) (xs: [n][n]i32) : ([n][n]i32, i32) =
  let ys = if b then transpose xs else map (map (* 2)) xs
  in (map (\row -> map (+ row[0]) row) ys, ys[0, n - 1])

entry error_on_one_side (i: i64) (xs: []i32) : []i32 = if i > 0 then map (+ xs[i]) xs else map (* 2) xs
