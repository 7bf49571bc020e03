-- Learning the weights of a graph's edges: what flows into each node is squashed and compared; several descent steps.
def node (n: i64) (e: i32) : i64 = i64.i32 (e & 0x7fffffff) % n

entry main [n][m] (steps: i64) (rate: f32) (src: [m]i32) (dst: [m]i32) (w: [m]f32) (x: [n]f32) (y: [n]f32) : (f32, [m]f32) =
  let src = map (node n) src
  let dst = map (node n) dst
  let loss (w: [m]f32) : f32 =
    let inflow = reduce_by_index (replicate n 0) (+) 0 dst (map2 (\c s -> c * x[s]) w src)
    in f32.sum (map2 (\p y -> let e = f32.tanh p - y in e * e) inflow y)
  let w = loop w for _i < steps do map2 (\a g -> a - rate * g) w (vjp loss w 1)
  in (loss w / f32.i64 n, w)
