-- Arrays in every thread whose size is an input: a table built by a loop, then used.
-- ==
-- input { 5i64 [0i64, 1i64, 4i64] } output { [17i64, 18i64, 77i64] }
-- input { 1i64 [0i64] } output { [2i64] }
-- input { 17i64 [16i64, 3i64] } output { [1114097i64, 32794i64] }
-- input { 3i64 [3i64] } error: out of bounds

entry main [n] (m: i64) (is: [n]i64) : [n]i64 =
  map (\i ->
    let table = loop t = replicate m 1 for j < m - 1 do t with [j + 1] = t[j] * 2 + i
    in table[i] + table[m - 1 - i]) is
