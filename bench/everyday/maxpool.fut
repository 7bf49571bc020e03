entry main [n][c][h][w] (x: [n][c][h][w]f32) : [n][c][h/2][w/2]f32 =
  map (map (\p -> tabulate_2d (h/2) (w/2) (\y x -> f32.maximum [p[2*y,2*x], p[2*y,2*x+1], p[2*y+1,2*x], p[2*y+1,2*x+1]]))) x
