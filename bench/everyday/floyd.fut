entry main [n] (d: [n][n]f32) : [n][n]f32 =
  loop d for k < n do tabulate_2d n n (\i j -> f32.min d[i,j] (d[i,k] + d[k,j]))
