-- Prefix sums without the element itself, which give each input its place in the output.
-- ==
-- input { [2, 0, 3] } output { [0, 2, 2] 5 }
-- input { empty([0]i32) } output { empty([0]i32) 0 }

entry main [n] (xs: [n]i32) : ([n]i32, i32) =
  let sums = scan (+) 0 xs
  in (map2 (-) sums xs, if n > 0 then sums[n - 1] else 0)
