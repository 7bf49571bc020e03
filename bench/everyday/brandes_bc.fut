-- Betweenness centrality (Brandes) from a few sources of a graph with a fixed number of out-edges: levels, path counts and dependencies backwards, edge-parallel.
def far : i32 = i32.highest

type search [n] = {level: [n]i32, paths: [n]f64, depth: i32}

-- Every level looks at all edges; a vertex joins the next level when an edge from the current one reaches it.
def forwards [n] [d] (out: [n][d]i64) (source: i64) : search [n] =
  let edges = n * d
  let from = flatten (tabulate_2d n d (\v _ -> v)) :> [edges]i64
  let to = flatten out :> [edges]i64
  let level0 = tabulate n (\v -> if v == source then 0 else far)
  let paths0 = tabulate n (\v -> if v == source then 1 else 0f64)
  let (level, paths, depth, _) =
    loop (level, paths, depth, go) = (level0, paths0, 0i32, true) while go do
      let active = map2 (\u v -> level[u] == depth && level[v] == far) from to
      let gained =
        reduce_by_index (replicate n 0f64) (+) 0
          (map2 (\a v -> if a then v else -1) active to)
          (map (\u -> paths[u]) from)
      let level' = map2 (\l g -> if l == far && g > 0 then depth + 1 else l) level gained
      let any = or active
      in (level', map2 (+) paths gained, if any then depth + 1 else depth, any)
  in {level, paths, depth}

def backwards [n] [d] (out: [n][d]i64) (s: search [n]) : [n]f64 =
  loop delta = replicate n 0
  for k < s.depth do
    let l = s.depth - 1 - k
    in map2 (\v acc ->
               if s.level[v] != l then acc
               else loop acc for e < d do
                      let t = out[v, e]
                      in if s.level[t] == l + 1 then acc + s.paths[v] / s.paths[t] * (1 + delta[t]) else acc)
            (iota n) delta

entry main [n] [d] (sources: i64) (edges: [n][d]i32) : ([n]f64, []i32, [sources]i32, i32) =
  -- half of the edges are local, so that the graph is some levels deep
  let out =
    map2 (\v r ->
            map (\e -> let k = i64.i32 (e & 0x7fffffff)
                       in if e & 1 == 0 then (v + 1 + (k >> 1) % 50) % n else if e & 0xf0 == 0 then k % n else (v + n - 1 - (k >> 1) % 7) % n) r)
         (iota n) edges
  let (score, depths, reach) =
    loop (score, depths, reach) = (replicate n 0f64, replicate sources 0i32, 0i32)
    for i < sources do
      let source = (i * 7919) % n
      let s = forwards out source
      let delta = backwards out s
      let score = map3 (\v a b -> if v == source then a else a + b) (iota n) score delta
      in (score, depths with [i] = s.depth, reach + i32.sum (map (\l -> i32.bool (l != far)) s.level))
  let in_degree = reduce_by_index (replicate n 0i32) (+) 0 (flatten out) (replicate (n * d) 1)
  let degrees = reduce_by_index (replicate 64 0i32) (+) 0 (map (\c -> i64.min 63 (i64.i32 c)) in_degree) (replicate n 1)
  in (score, degrees, depths, reach)
