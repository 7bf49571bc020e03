def sig (x: f32) = 1/(1+f32.exp (-x))
entry main [t][b][i][h4][h] (x: [t][b][i]f32) (w: [h4][i]f32) (u: [h4][h]f32) (bias: [h4]f32) : [b][h]f32 =
  (loop (s, c) = (replicate b (replicate h 0), replicate b (replicate h 0)) for k < t do
    let g = map2 (\x s -> map3 (\w u b -> b + f32.sum (map2 (*) w x) + f32.sum (map2 (*) u s)) w u bias) x[k] s
    let c = map2 (\g c -> tabulate h (\j -> sig g[h+j]*c[j] + sig g[j]*f32.tanh g[2*h+j])) g c
    in (map2 (\g c -> tabulate h (\j -> sig g[3*h+j]*f32.tanh c[j])) g c, c)).0
