-- Graph coarsening for multilevel partitioning: handshake heavy-edge matching, renumbering by scan, contracted weights.
entry main [m] (n: i64) (rounds: i32) (us: [m]i64) (vs: [m]i64) (ws: [m]u16) =
  let a = map (% n) us
  let b = map (% n) vs
  let src = a ++ b
  let dst = b ++ a
  let w = let w' = map (\x -> 1 + i64.u16 (x % 1000)) ws in w' ++ w'
  let mate =
    loop mate = replicate n (-1i64) for _r < rounds do
      let ok i j = i != j && mate[i] < 0 && mate[j] < 0
      let best = reduce_by_index (replicate n (-1)) i64.max (-1)
                   (map2 (\i j -> if ok i j then i else -1) src dst)
                   (map2 (\x j -> (x << 32) | j) w dst)
      let pick = map (\x -> if x < 0 then -1 else x & 0xffffffff) best
      in map3 (\i mt p -> if mt < 0 && p >= 0 && pick[p] == i then p else mt) (iota n) mate pick
  let leader = map2 (\i p -> p < 0 || i < p) (iota n) mate
  let num = scan (+) 0 (map i64.bool leader)
  let id = map3 (\i l p -> if l then num[i] - 1 else num[p] - 1) (iota n) leader mate
  let nc = num[n - 1]
  let cw = reduce_by_index (replicate nc 0i64) (+) 0 id (replicate n 1)
  let cut = reduce_by_index (replicate nc 0) (+) 0
              (map2 (\i j -> if id[i] == id[j] then -1 else id[i]) src dst) w
  let inner = i64.sum (map3 (\i j x -> if id[i] == id[j] then x else 0) src dst w) / 2
  in (nc, inner, cw, cut, mate)
