-- Lowest common ancestors in a random tree by binary lifting, for many pairs, and their distances.
entry main [n][q] (back: i64) (rnd: [n]i32) (qa: [q]i32) (qb: [q]i32) : ([q]i64, i64, i64) =
  let nat (x: i32) = i64.i32 (x & 0x7fffffff)
  let parent = tabulate n (\i -> if i == 0 then 0 else i - 1 - nat rnd[i] % i64.min i back)
  let logs = loop l = 1 while (1 << l) < n do l + 1
  let up = loop up = replicate logs parent for l < logs - 1 do
    let half = up[l]
    in up with [l + 1] = map (\p -> half[p]) half
  -- depths by the same doubling: sums of steps along the way to the root
  let depth = (loop (d, p) = (map (\i -> i64.bool (i > 0)) (iota n), parent) for _l < logs do
                 (map2 (\x j -> x + d[j]) d p, map (\j -> p[j]) p)).0
  let lift v k = loop v for l < logs do if (k >> l) & 1 == 1 then up[l, v] else v
  let lca a b =
    let (a, b) = if depth[a] < depth[b] then (b, a) else (a, b)
    let a = lift a (depth[a] - depth[b])
    in if a == b then a
       else
         let (a, _) = loop (a, b) for i < logs do
           let l = logs - 1 - i
           in if up[l, a] != up[l, b] then (up[l, a], up[l, b]) else (a, b)
         in parent[a]
  let as = map (\x -> nat x % n) qa
  let bs = map (\x -> nat x % n) qb
  let cs = map2 lca as bs
  let dist = map3 (\a b c -> depth[a] + depth[b] - 2 * depth[c]) as bs cs
  in (cs, i64.sum dist, i64.maximum dist)
