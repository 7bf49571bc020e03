-- Second-order (node2vec) random walks over a CSR graph, visit counts and co-occurrence with the start vertex.
def lcg (s: u64) : u64 = s * 6364136223846793005 + 1442695040888963407

entry main [n] (len: i32) (near: u64) (far: u64) (seeds: [n]u8) : ([n]i32, f32, i64) =
  let deg = map (\s -> 2 + i64.u8 (s & 3)) seeds
  let off = scan (+) 0 deg |> map2 (\d e -> e - d) deg
  let m = i64.sum deg
  let adj = tabulate m (\e -> i64.u64 ((lcg (lcg (u64.i64 e))) >> 33) % n)
  let linked a b = loop (k, hit) = (0, false) while k < deg[a] && !hit do (k + 1, adj[off[a] + k] == b)
  let walk v =
    (loop (prev, cur, s, back, path) = (v, adj[off[v]], lcg (u64.i64 (v * 7 + 1)), 0i32, 0i64) for _t < len do
       -- rejection: draw until accepted, at most 16 times
       let (nxt, s, _, _) = loop (_nx, s, done, tries) = (prev, s, false, 0i32) while !done && tries < 16 do
         let s1 = lcg s
         let s2 = lcg s1
         let c = adj[off[cur] + i64.u64 (s1 >> 33) % deg[cur]]
         let w = if c == prev then 3 else if (linked prev c).1 then near else far
         in (c, s2, (s2 >> 40) % 16 < w, tries + 1)
       in (cur, nxt, s, back + i32.bool (nxt == v), path ^ (nxt * 2654435761 + path << 1)))
  let ws = map walk (iota n)
  let ends = map (\w -> w.1) ws
  let visits = reduce_by_index (replicate n 0i32) (+) 0 ends (replicate n 1)
  let ret = i32.sum (map (\w -> w.3) ws)
  in (visits, f32.i32 ret / f32.i64 n, reduce (^) 0 (map (\w -> w.4) ws))
