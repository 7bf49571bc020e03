-- The largest element and its first position: a reduction over pairs.
-- ==
-- input { [3, 9, 2, 9] } output { 9 1i64 }
-- input { [-5] } output { -5 0i64 }
-- input { empty([0]i32) } output { -2147483648 0i64 }
-- compiled random input { [1009]i32 } auto output

entry main [n] (xs: [n]i32) : (i32, i64) =
  reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (i32.lowest, n) (zip xs (iota n))
