-- Cost of goods sold, first in first out: running bought and sold quantities, cost of the first s units by binary search, differences.
def upper [n] (xs: [n]i64) (x: i64) : i64 =
  let (l, _) = loop (l, r) = (0, n) while l < r do
    let m = (l + r) / 2
    in if xs[m] > x then (l, m) else (m + 1, r)
  in l

entry main [n][m] (bq: [n]u8) (bp: [n]u16) (sq: [m]u8) : ([m]i64, i64, i64) =
  let q = map (\x -> 1 + i64.u8 x % 50) bq
  let p = map (\x -> 100 + i64.u16 x % 900) bp
  let (have, spent) = unzip (scan (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (zip q (map2 (*) q p)))
  let stock = if n == 0 then 0 else last have
  let sold = map (i64.min stock) (scan (+) 0 (map (\x -> i64.u8 x % 40) sq))
  let costOf s =
    let j = upper have s
    in if j >= n then (if n == 0 then 0 else spent[n-1])
       else spent[j] - (have[j] - s) * p[j]
  let cost = map costOf sold
  let cogs = map2 (\i c -> if i == 0 then c else c - cost[i-1]) (iota m) cost
  in (cogs, i64.sum cogs, stock - (if m == 0 then 0 else last sold))
