-- A host loop that updates one array in place, with a kernel's result for each row.
-- ==
-- input { 4i64 3i64 } output { [[1i64, 1i64, 1i64], [1i64, 1i64, 1i64], [1i64, 2i64, 3i64], [1i64, 4i64, 7i64]] }
-- input { 1i64 3i64 } output { [[1i64, 1i64, 1i64]] }
-- input { 3i64 0i64 } output { empty([3][0]i64) }

entry main (n: i64) (m: i64) : [n][m]i64 =
  loop rows = replicate n (replicate m 1) for i < n - 1 do
    rows with [i + 1] = map2 (\x j -> x + i * j) rows[i] (iota m)
