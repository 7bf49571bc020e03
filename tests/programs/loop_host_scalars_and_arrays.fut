-- A host loop that carries arrays and scalars around a kernel.
-- ==
-- input { [1, 2, 3] 0 } output { [1, 2, 3] 1 }
-- input { [1, 2, 3] 4 } output { [36, 52, 68] 7 }
-- input { empty([0]i32) 2 } output { empty([0]i32) 2 }

entry main [n] (xs: [n]i32) (k: i32) : ([n]i32, i32) =
  loop (xs, s) = (xs, 1) for i < k do (map (\x -> x * 2 + s) xs, s + i)
