-- Levels of a directed acyclic graph (its longest paths), peeled from the sources one level a step.
entry main [m] (n: i64) (reach: i64) (us: [m]i32) (hops: [m]i32) : (i64, [n]i32, i64) =
  let nat (x: i32) = i64.i32 (x & 0x7fffffff)
  let from = map (\u -> nat u % (n - 1)) us
  let to = map2 (\u h -> i64.min (n - 1) (u + 1 + nat h % reach)) from hops
  let indegree = reduce_by_index (replicate n 0i32) (+) 0 to (replicate m 1)
  let (level, _, steps, _) =
    loop (level, deg, k, left) = (replicate n (-1), indegree, 0i32, n) while left > 0 do
      let ready = map2 (\l d -> l < 0 && d == 0) level deg
      let level = map2 (\l r -> if r then k else l) level ready
      let cut = map2 (\u v -> if ready[u] then v else -1) from to
      let deg = reduce_by_index deg (+) 0 cut (replicate m (-1))
      in (level, deg, k + 1, left - i64.sum (map i64.bool ready))
  in (i64.i32 steps, level, i64.sum (map i64.i32 level))
