entry main [n][m] (x: [n][m]f32) : [m][m]f32 =
  let mu = map (\c -> f32.sum c / f32.i64 n) (transpose x)
  let c = map (\r -> map2 (-) r mu) x
  in map (\a -> map (\b -> f32.sum (map2 (*) a b) / f32.i64 (n-1)) (transpose c)) (transpose c)
