entry main [n] (b: i64) (x: [n]f32) (y: [n]f32) : [b][b]i32 =
  reduce_by_index_2d (replicate b (replicate b 0)) (+) 0 (map2 (\x y -> (i64.f32 (x*f32.i64 b), i64.f32 (y*f32.i64 b))) x y) (replicate n 1)
