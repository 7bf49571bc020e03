-- Gale-Shapley stable matching of many small markets given by scores; proposals in falling score order, one market per thread.
def market [n] (men: [n][n]u16) (women: [n][n]u16) : ([n]i32, i32) =
  let next (m: i32) (last: i64) : i64 =
    -- best woman strictly after key `last`, where a key is (score, index) packed
    loop best = -1 for w < n do
      let k = i64.u16 men[m, w] * n + w
      in if k < last && k > best then k else best
  let seen0 = replicate n i64.highest
  let (husband, _, props) =
    loop (husband, seen, props) = (replicate n (-1i32), seen0, 0) for i < n do
      let (husband, seen, props, _) =
        loop (husband, seen, props, cur) = (husband, seen, props, i32.i64 i) while cur >= 0 do
          let key = next cur seen[cur]
          let seen[cur] = key
          let w = key % n
          let h = husband[w]
          let (a, b) = if h < 0 then (1, 0) else (women[w, cur], women[w, h])
          in if a > b || (h >= 0 && a == b && cur < h)
             then (husband with [w] = cur, seen, props + 1, h)
             else (husband, seen, props + 1, cur)
      in (husband, seen, props)
  in (husband, props)

def main [b][n] (men: [b][n][n]u16) (women: [b][n][n]u16) : ([b][n]i32, [b]i32) =
  unzip (map2 market men women)
