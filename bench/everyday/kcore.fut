-- Core numbers of a random graph by peeling: a loop over k, within it a loop until nobody more falls.
def degrees [m] [n] (alive: [n]bool) (us: [m]i64) (vs: [m]i64) : [n]i32 =
  let both = map2 (\u v -> alive[u] && alive[v] && u != v) us vs
  let to xs = map2 (\b x -> if b then x else -1) both xs
  let d = reduce_by_index (replicate n 0i32) (+) 0 (to us) (replicate m 1)
  in reduce_by_index d (+) 0 (to vs) (replicate m 1)

entry main [m] (n: i64) (kmax: i64) (src: [m]i32) (dst: [m]i32) : ([n]i32, i64, i32, []i32) =
  let vertex x = i64.i32 (x & 0x7fffffff) % n
  let us = map vertex src
  let vs = map vertex dst
  let start = (replicate n true, replicate n 0i32, 0i32)
  let (alive, core, peels) =
    loop (alive, core, peels) = start for k in map i32.i64 (1...kmax) do
      let (alive, peels, _) =
        loop (alive, peels, again) = (alive, peels, true) while again do
          let deg = degrees alive us vs
          let stays = map2 (\a d -> a && d >= k) alive deg
          let fell = reduce (||) false (map2 (\a s -> a && !s) alive stays)
          in (stays, peels + 1, fell)
      in (alive, map2 (\c a -> if a then k else c) core alive, peels)
  let shells = reduce_by_index (replicate (kmax + 1) 0i32) (+) 0 (map i64.i32 core) (replicate n 1)
  in (core, i64.sum (map i64.bool alive), peels, shells)
