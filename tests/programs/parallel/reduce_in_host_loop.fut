-- A host loop that ends when the sum over an array is large enough.
-- ==
-- input { [1, 2, 3] 100 } output { [46, 50, 54] 150 }
-- input { empty([0]i32) 0 } output { empty([0]i32) 0 }

entry main [n] (xs: [n]i32) (limit: i32) : ([n]i32, i32) =
  loop (xs, s) = (xs, i32.sum xs) while s < limit do
    let ys = map (\x -> x * 2 + s) xs
    in (ys, i32.sum ys)
