-- Logistic regression by gradient descent.
entry main [n][d] (steps: i32) (rate: f32) (x: [n][d]f32) (y: [n]f32) : [d]f32 =
  loop w = replicate d 0 for _i < steps do
    let p = map (\r -> 1 / (1 + f32.exp (-(f32.sum (map2 (*) r w))))) x
    let e = map2 (-) p y
    let g = map (\c -> f32.sum (map2 (*) c e) / f32.i64 n) (transpose x)
    in map2 (\w g -> w - rate*g) w g
