-- GraphSAGE layer: mean of sampled neighbours, two linear maps, relu, row normalisation.
entry main [n][k][d][o] (neigh: [n][k]i32) (x: [n][d]f32) (wself: [o][d]f32) (wneigh: [o][d]f32) : [n][o]f32 =
  let mean = map (\js ->
                    let rows = map (\j -> x[i64.i32 (j & 0x7fffffff) % n]) js
                    in map (\c -> f32.sum c / f32.i64 k) (transpose rows))
                 neigh
  let h = map2 (\a b -> map2 (\ws wn -> let z = f32.sum (map2 (*) ws a) - f32.sum (map2 (*) wn b)
                                        in f32.max z (0.1 * z)) wself wneigh) x mean
  in map (\r -> let s = f32.sqrt (1e-3 + f32.sum (map (\v -> v * v) r)) in map (/ s) r) h
