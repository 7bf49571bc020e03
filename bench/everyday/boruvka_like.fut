-- Labels of connected components of a random graph, by hooking and jumping.
entry main [m] (n: i64) (a: [m]i32) (b: [m]i32) : i64 =
  let a = map (\v -> i64.i32 (i32.abs v) % n) a
  let b = map (\v -> i64.i32 (i32.abs v) % n) b
  let (p, _) = loop (p, go) = (iota n, true) while go do
    let lo = map2 (\u v -> i64.min p[u] p[v]) a b
    let q = reduce_by_index (copy p) i64.min n (map (\u -> p[u]) a ++ map (\v -> p[v]) b) (lo ++ lo)
    let q = map (\i -> q[q[i]]) (iota n)
    in (q, or (map2 (!=) p q))
  in i64.sum (map2 (\i r -> i64.bool (i == r)) (iota n) p)
