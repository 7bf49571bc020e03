entry main [n] (steps: i32) (a: [n][n]f32) : (f32, [n]f32) =
  loop (l, x) = (0f32, replicate n 1f32) for _i < steps do
    let y = map (\r -> f32.sum (map2 (*) r x)) a
    let l = f32.sqrt (f32.sum (map (\v -> v*v) y))
    in (l, map (/l) y)
