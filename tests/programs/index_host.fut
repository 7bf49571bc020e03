-- Elements are read on the host, at positions that the input gives, from either end.
-- ==
-- input { [10, 20, 30] 0i64 } output { 10 30 40 }
-- input { [10, 20, 30] 2i64 } output { 30 10 40 }
-- input { [7] 0i64 } output { 7 7 14 }

entry main [n] (xs: [n]i32) (i: i64) : (i32, i32, i32) = (xs[i], xs[n - 1 - i], xs[n / 2] * 2)
