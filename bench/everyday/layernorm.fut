entry main [n][m] (g: [m]f32) (b: [m]f32) (a: [n][m]f32) : [n][m]f32 =
  map (\r -> let mu = f32.sum r / f32.i64 m
             let var = f32.sum (map (\x -> (x-mu)*(x-mu)) r) / f32.i64 m
             let s = 1/f32.sqrt (var + 1e-5)
             in map3 (\x g b -> (x-mu)*s*g + b) r g b) a
