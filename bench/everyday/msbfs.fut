-- Breadth-first search from 32 sources at once, one bit each, over a list of edges: how many each source reaches per level.
def count_bits [n] (masks: [n]u32) : [32]i32 =
  reduce_comm (map2 (+)) (replicate 32 0) (map (\m -> tabulate 32 (\k -> i32.u32 ((m >> u32.i64 k) & 1))) masks)

entry main [m] (n: i64) (levels: i64) (us: [m]i32) (vs: [m]i32) : ([levels][32]i32, [n]u8) =
  let idx (x: i32) = i64.i32 (x & 0x7fffffff) % n
  let us = map idx us
  let vs = map idx vs
  let seen = reduce_by_index (replicate n 0u32) (|) 0 (map (\k -> (k * 7919) % n) (iota 32)) (map (\k -> 1u32 << u32.i64 k) (iota 32))
  let depth0 = map (\s -> if s & 1 == 1 then 0u8 else 255) seen
  let (_, _, out, depth) =
    loop (seen, frontier, out: *[levels][32]i32, depth) = (seen, copy seen, replicate levels (replicate 32 0), depth0) for l < levels do
      let there = map (\u -> #[unsafe] frontier[u]) us
      let back = map (\v -> #[unsafe] frontier[v]) vs
      let got = reduce_by_index (replicate n 0) (|) 0 vs there
      let got = reduce_by_index got (|) 0 us back
      let next = map2 (\g s -> g & !s) got seen
      let depth = map2 (\d f -> if d == 255 && f & 1 == 1 then u8.i64 (l + 1) else d) depth next
      in (map2 (|) seen next, next, out with [l] = count_bits next, depth)
  in (out, depth)
