-- One pass yields a sum, a product, and the array it was computed from.
-- ==
-- input { [1, 2, 3, 4] } output { 24 945 4 [3, 5, 7, 9] }
-- input { empty([0]i32) } output { 0 1 0 empty([0]i32) }
-- compiled random input { [513]i32 } auto output

entry main [n] (xs: [n]i32) : (i32, i32, i32, [n]i32) =
  let ys = map (\x -> 2 * x + 1) xs
  in (reduce (+) 0 ys, reduce (*) 1 ys, reduce (^) 0 xs, ys)
