-- Kernels whose threads know only their position, or nothing at all.
-- ==
-- input { 0i64 } output { empty([0]i64) empty([0][2]i32) empty([0]bool) }
-- input { 1i64 } output { [-1i64] [[1, 2]] [true] }
-- input { 3i64 } output { [-1i64, 0i64, 3i64] [[1, 2], [1, 2], [1, 2]] [false, false, true] }
-- input { 1000i64 } auto output

entry main (n: i64) : ([n]i64, [n][2]i32, [n]bool) =
  (tabulate n (\i -> i * i - 1), map (\_ -> [1, 2]) (iota n), tabulate n (\i -> i == n - 1))
