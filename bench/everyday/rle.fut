-- Run lengths.
entry main [n] (x: [n]u8) : ([]u8, []i64) =
  let x = map (& 1) x
  let start = map (\i -> i == 0 || x[i-1] != x[i]) (iota n)
  let at = map2 (\s i -> if s then i else -1) start (iota n) |> filter (>= 0)
  let m = length at
  in (map (\i -> x[i]) at, map (\k -> (if k + 1 < m then at[k+1] else n) - at[k]) (iota m))
