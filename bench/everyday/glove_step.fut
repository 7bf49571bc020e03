-- GloVe word vectors: full-batch AdaGrad steps over co-occurrence pairs, gradients summed with reduce_by_index.
entry main [m][v][d] (steps: i64) (rate: f32) (is: [m]i32) (js: [m]i32) (counts: [m]u8) (w0: [v][d]f32) (c0: [v][d]f32)
    : ([v][d]f32, [v][d]f32, f32) =
  let idx x = i64.i32 (x & 0x7fffffff) % v
  let is = map idx is
  let js = map idx js
  let weight = map (\c -> f32.min 1 ((f32.u8 c / 100) ** 0.75)) counts
  let target = map (\c -> f32.log (1 + f32.u8 c)) counts
  let centre = map (map (\x -> x - 0.5))
  let residual (w: [v][d]f32) (c: [v][d]f32) =
    map3 (\i j t -> f32.sum (map2 (*) w[i] c[j]) - t) is js target
  let accumulate (at: [m]i64) (rows: [m][d]f32) : [v][d]f32 =
    let flat = flatten (map (\a -> map (\k -> a * d + k) (iota d)) at)
    in unflatten (reduce_by_index (replicate (v * d) 0) (+) 0 flat (flatten rows))
  let update = map3 (map3 (\w g s -> w - rate * g / f32.sqrt (s + 1e-2)))
  let (w, c, _, _) =
    loop (w, c, sw, sc) = (centre w0, centre c0, replicate v (replicate d 0), replicate v (replicate d 0)) for _s < steps do
      let e = map2 (*) weight (residual w c)
      let gw = accumulate is (map2 (\a j -> map (* a) c[j]) e js)
      let gc = accumulate js (map2 (\a i -> map (* a) w[i]) e is)
      let sw = map2 (map2 (\s g -> s + g * g)) sw gw
      let sc = map2 (map2 (\s g -> s + g * g)) sc gc
      in (update w gw sw, update c gc sc, sw, sc)
  let loss = f32.sum (map2 (\f e -> f * e * e) weight (residual w c)) / f32.i64 m
  in (w, c, loss)
