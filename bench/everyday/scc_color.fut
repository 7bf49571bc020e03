-- Strongly connected components of a directed graph: colours spread forwards to a fixed point, then each root takes its component backwards.
def main [m] (n: i64) (from: [m]u32) (to: [m]u32) : ([n]i32, i64, i32) =
  let us = map (\a -> i64.u32 a % n) from
  let vs = map (\b -> i64.u32 b % n) to
  let (comp, sweeps) =
    loop (comp, sweeps) = (replicate n (-1i32), 0i32) while any (< 0) comp do
      -- forwards: the largest vertex that reaches each one
      let (color, _, s1) =
        loop (color, changed, s) = (tabulate n (\v -> if comp[v] < 0 then i32.i64 v else -1), true, 0i32)
        while changed do
          let targets = map2 (\u v -> if comp[u] < 0 && comp[v] < 0 && color[u] > color[v] then v else -1) us vs
          let next = reduce_by_index (copy color) i32.max (-1) targets (map (\u -> color[u]) us)
          in (next, any (>= 0) targets, s + 1)
      -- backwards from the roots, inside one colour
      let (mark, _, s2) =
        loop (mark, changed, s) = (tabulate n (\v -> comp[v] < 0 && color[v] == i32.i64 v), true, 0i32)
        while changed do
          let hits = map2 (\u v -> if mark[v] && !mark[u] && comp[u] < 0 && color[u] == color[v] then u else -1) us vs
          let next = scatter (copy mark) hits (replicate m true)
          in (next, any (>= 0) hits, s + 1)
      in (map3 (\c k f -> if f then k else c) comp color mark, sweeps + s1 + s2)
  let sizes = hist (+) 0 n (map i64.i32 comp) (replicate n 1i64)
  in (comp, i64.maximum sizes, sweeps)
