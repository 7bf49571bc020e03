entry main [n][d] (x: [n][d]f32) : [n][n]f32 =
  let norm = map (\r -> let l = f32.sqrt (f32.sum (map (\v -> v*v) r)) in map (/ (l+1e-9)) r) x
  in map (\a -> map (\b -> f32.sum (map2 (*) a b)) norm) norm
