-- Arg max of each row and the largest sum of neighbours.
entry main [n][m] (x: [n][m]f32) : ([n]i64, [n]f32) =
  unzip (map (\r -> reduce_comm (\(i,v) (j,w) -> if v > w || (v == w && i < j) then (i,v) else (j,w)) (m, -f32.inf) (zip (iota m) r)) x)
