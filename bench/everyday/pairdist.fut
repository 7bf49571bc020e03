entry main [n][m][d] (x: [n][d]f32) (y: [m][d]f32) : [n][m]f32 =
  map (\a -> map (\b -> f32.sqrt (f32.sum (map2 (\p q -> (p-q)*(p-q)) a b))) y) x
