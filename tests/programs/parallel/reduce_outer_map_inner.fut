-- A map of large reductions over computed values, where both levels may be parallel.
-- ==
-- input { 3i64 5i64 } output { [0i64, 10i64, 20i64] }
-- input { 0i64 5i64 } output { empty([0]i64) }
-- input { 5i64 0i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 7i64 1000i64 } auto output

entry main (n: i64) (m: i64) : [n]i64 = tabulate n (\i -> i64.sum (tabulate m (\j -> (i * j) % 17)))
