-- Optimal transport with an entropic cost: Sinkhorn's scaling, a hundred pairs of small products.
entry main [n][m] (iters: i64) (eps: f32) (x: [n][2]f32) (y: [m][2]f32) (wa: [n]f32) (wb: [m]f32) : ([n]f32, [m]f32, f32) =
  let share [k] (w: [k]f32) = let w = map (+ 0.1) w in let s = f32.sum w in map (/ s) w
  let a = share wa
  let b = share wb
  let cost = map (\p -> map (\q -> let d = p[0] - q[0] in let e = p[1] - q[1] in d * d + e * e) y) x
  let kernel = map (map (\c -> f32.exp (-c / eps))) cost
  let kernel_t = transpose kernel
  let times [r][c] (k: [r][c]f32) (v: [c]f32) = map (\row -> f32.sum (map2 (*) row v)) k
  let (u, v) = loop (_, v) = (replicate n 1, replicate m 1) for _i < iters do
    let u = map2 (/) a (times kernel v)
    let v = map2 (/) b (times kernel_t u)
    in (u, v)
  let plan = f32.sum (map3 (\u ks cs -> u * f32.sum (map3 (\k c v -> k * c * v) ks cs v)) u kernel cost)
  in (map f32.log u, map f32.log v, plan)
