entry main [b][c][n][o][k] (x: [b][c][n]f32) (f: [o][c][k]f32) : [][][]f32 =
  map (\x -> map (\f -> tabulate (n-k+1) (\i -> f32.sum (map2 (\xr fr -> f32.sum (map2 (*) (take k (drop i xr) :> [k]f32) fr)) x f))) f) x
