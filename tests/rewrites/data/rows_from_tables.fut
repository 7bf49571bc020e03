-- The second map's rows are computed from tables, the first one's from nothing but their own elements.
entry rows [n] [m] [k] (xs: [n]f32) (ys: [m]f32) (at: [m]i64) (gs: [k]f32) : [n]f32 =
  #[sequential_inner]
  map (\x ->
         let dear = map (\g -> let table = map (\y -> f32.exp (x * g * y)) ys
                               in map (\i -> #[unsafe] table[i] + g) at)
                        gs
         in f32.sum (map f32.maximum (transpose dear)))
      xs

entry cheap_rows [n] [m] [k] (xs: [n]f32) (ys: [m]f32) (gs: [k]f32) : [n]f32 =
  #[sequential_inner]
  map (\x ->
         let cheap = map (\g -> map (\y -> x * g * y) ys) gs
         in f32.sum (map f32.maximum (transpose cheap)))
      xs
