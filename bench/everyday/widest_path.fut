-- Widest (maximum-bottleneck) paths from one source, relaxed to the fixed point, and the parent of every vertex.
type edge = {u: i32, v: i32, w: f32}

entry main [m] (n: i64) (us: [m]i32) (hop: [m]u16) (ws: [m]f32) : ([n]f32, [n]i32, i32) =
  let es : [m]edge = map3 (\a h w ->
      let u = a % i32.i64 n
      in {u, v = (u + 1 + i32.u16 h * 37) % i32.i64 n, w}) us hop ws
  let width0 = replicate n 0f32 with [0] = 2
  let (width, _, rounds) =
    loop (width, go, r) = (width0, true, 0) while go do
      let cand = map (\(e: edge) -> f32.min width[e.u] e.w) es
      let next = reduce_by_index (copy width) f32.max 0 (map (\(e: edge) -> i64.i32 e.v) es) cand
      in (next, or (map2 (\a b -> a < b) width next), r + 1i32)
  let parent = reduce_by_index (replicate n (-1i32)) i32.max (-1)
      (map (\(e: edge) -> if e.u != e.v && width[e.v] > 0 && f32.min width[e.u] e.w == width[e.v]
                          then i64.i32 e.v else -1) es)
      (map (\(e: edge) -> e.u) es)
  in (width, parent, rounds)
