-- The first kernel's error must stop the program before the second kernel uses what it left behind.
-- ==
-- input { [0i64, 1i64] [5i64, 6i64] } output { [5i64, 6i64] }
-- input { [0i64, 2i64] [5i64, 6i64] } error: Index \[2\] out of bounds for array of shape \[2\]

entry main [n] (is: [n]i64) (xs: [n]i64) : [n]i64 =
  let js = #[opaque] map (\i -> xs[i] - 5) is
  in map (\j -> xs[j]) js
