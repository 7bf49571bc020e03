-- Sorted keys set out in breadth-first (Eytzinger) order, then searched without branches; ranks of many queries.
entry main [m] [q] (levels: i64) (gaps: [m]u8) (queries: [q]i32) : ([]i32, [q]i64, i64) =
  let n = (1 << levels) - 1
  let sorted = scan (+) 0 (map (\g -> 1 + i32.u8 g) gaps)[:n]
  let rank k =
    let depth = 63 - i64.i32 (u64.clz (u64.i64 k))
    let step = 1 << (levels - depth)
    in (k - (1 << depth)) * step + step / 2 - 1
  let tree = tabulate (n + 1) (\k -> if k == 0 then 0 else sorted[rank k])
  let top = sorted[n - 1]
  let seek x =
    let x = (x & 0x7fffffff) % (top + 100)
    let k = loop k = 1i64 for _l < levels do 2 * k + i64.bool (tree[k] < x)
    in k - (1 << levels)
  let found = map seek queries
  in (tree, found, i64.sum (map (\f -> i64.bool (f == n)) found))
