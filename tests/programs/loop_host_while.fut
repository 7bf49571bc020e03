-- A host loop whose end depends on an element that a kernel has computed.
-- ==
-- input { [1, 5, 3] 100 } output { [127, 383, 255] 6 }
-- input { [200] 100 } output { [200] 0 }

entry main [n] (xs: [n]i32) (limit: i32) : ([n]i32, i32) =
  loop (xs, steps) = (xs, 0) while xs[0] < limit do (map (\x -> x * 2 + 1) xs, steps + 1)
