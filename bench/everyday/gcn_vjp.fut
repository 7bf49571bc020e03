-- Predict, then propagate: a network scores nodes, the scores walk along the edges; gradients of the network.
def node (n: i64) (e: i32) : i64 = i64.i32 (e & 0x7fffffff) % n

entry main [n][m][d][o] (hops: i64) (alpha: f32) (src: [m]i32) (dst: [m]i32) (x: [n][d]f32) (w: [o][d]f32) (r: [o]f32) (y: [n]f32)
    : (f32, [o][d]f32, [o]f32) =
  let src = map (node n) src
  let dst = map (node n) dst
  let deg = reduce_by_index (replicate n 1f32) (+) 0 dst (replicate m 1)
  let norm = map2 (\a b -> 1 / f32.sqrt (deg[a] * deg[b])) src dst
  let walk (s0: [n]f32) : [n]f32 =
    loop s = s0 for _i < hops do
      let near = reduce_by_index (replicate n 0) (+) 0 dst (map2 (\a c -> c * s[a]) src norm)
      in map4 (\a b c g -> alpha * a + (1 - alpha) * (b + c / g)) s0 near s deg
  let loss (w: [o][d]f32, r: [o]f32) =
    let score row = f32.sum (map2 (\wr c -> c * f32.tanh (f32.sum (map2 (*) row wr))) w r)
    let p = walk (map score x)
    in f32.sum (map2 (\p y -> let e = p - y in e * e) p y) / f32.i64 n
  let w = map (map (\v -> v - 0.5)) w
  let (l, (dw, dr)) = vjp2 loss (w, map (\v -> v - 0.5) r) 1
  in (l, dw, dr)
