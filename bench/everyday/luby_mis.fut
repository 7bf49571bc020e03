-- Luby's maximal independent set on a random graph, with hashed priorities fresh in every round.
def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

-- 0 undecided, 1 in the set, 2 out
entry main [m] (n: i64) (us: [m]u32) (vs: [m]u32) : (i64, i32, [n]i8) =
  let eu = map (\u -> i64.u32 (u % u32.i64 n)) us
  let ev = map (\v -> i64.u32 (v % u32.i64 n)) vs
  let src = eu ++ ev
  let dst = ev ++ eu
  let (state, rounds) =
    loop (state, r) = (replicate n 0i8, 0i32) while any (== 0) state do
      let pri = map2 (\i s -> if s == 0 then (i64.u32 (mix (u32.i64 i * 31 + u32.i32 r)) << 30) | i else -1)
                     (iota n) state
      let live = map2 (\u v -> if u != v && state[u] == 0 && state[v] == 0 then u else -1) src dst
      let nbr = reduce_by_index (replicate n (-1)) i64.max (-1) live (map (\v -> pri[v]) dst)
      let win = map3 (\s p q -> s == 0 && p > q) state pri nbr
      let hit = reduce_by_index (replicate n false) (||) false
                  (map2 (\u v -> if u != v && win[v] then u else -1) src dst) (map (const true) src)
      let state' = map3 (\s w h -> if s != 0 then s else if w then 1 else if h then 2 else 0) state win hit
      in (state', r + 1)
  in (i64.sum (map (\s -> i64.bool (s == 1)) state), rounds, state)
