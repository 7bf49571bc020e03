-- How often a pattern occurs, and where first.
entry main [n][m] (text: [n]u8) (pat: [m]u8) : (i64, i64) =
  let hit = tabulate (n-m+1) (\i -> loop ok = true for j < m do ok && (text[i+j] & 3 == pat[j] & 3))
  in (i64.sum (map i64.bool hit), reduce i64.min n (map2 (\h i -> if h then i else n) hit (iota (n-m+1))))
