-- Optimal binary search tree: dynamic programming over interval lengths on the host, all intervals of a length in parallel.
def main [n] (hits: [n]u16) (misses: [n]u16) : (i64, []i64) =
  let m = n + 1
  let weight = map2 (\h s -> i64.u16 h + i64.u16 s + 1) hits misses
  let pre = map (\i -> i) ([0] ++ scan (+) 0 weight) :> [m]i64
  -- cost[l][i]: best tree over the keys i .. i+l-1
  let cost = replicate m (replicate m 0i64)
  let cost = loop cost for l in 1..<m do
    let row = tabulate m (\i ->
      if i + l > n then 0
      else let best = i64.minimum (tabulate l (\k -> cost[k, i] + cost[l - 1 - k, i + k + 1]))
           in best + pre[i + l] - pre[i])
    in cost with [l] = row
  let per_length = map i64.maximum cost
  in (cost[n, 0], per_length)
