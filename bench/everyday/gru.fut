-- A GRU over time, a batch.
def sig (x: f32) = 1/(1+f32.exp (-x))
def mv [o][i] (w: [o][i]f32) (x: [i]f32) : [o]f32 = map (\r -> f32.sum (map2 (*) r x)) w
entry main [t][b][i][h] (x: [t][b][i]f32) (wz: [h][i]f32) (uz: [h][h]f32) (wr: [h][i]f32) (ur: [h][h]f32) (wh: [h][i]f32) (uh: [h][h]f32) : [b][h]f32 =
  loop s = replicate b (replicate h 0) for k < t do
    map2 (\x s ->
      let z = map2 (\a b -> sig (a+b)) (mv wz x) (mv uz s)
      let r = map2 (\a b -> sig (a+b)) (mv wr x) (mv ur s)
      let c = map2 (\a b -> f32.tanh (a+b)) (mv wh x) (mv uh (map2 (*) r s))
      in map3 (\z s c -> (1-z)*s + z*c) z s c) x[k] s
