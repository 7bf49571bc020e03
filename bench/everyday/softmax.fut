entry main [n][m] (a: [n][m]f32) : [n][m]f32 =
  map (\r -> let m = f32.maximum r
             let e = map (\x -> f32.exp (x-m)) r
             let s = f32.sum e
             in map (/s) e) a
