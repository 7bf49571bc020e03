-- Mean and deviation over the first axis, then the whole scaled; tall.
entry main [n][m] (x: [n][m]f32) : [n][m]f32 =
  let t = transpose x
  let mu = map (\c -> f32.sum c / f32.i64 n) t
  let sd = map2 (\c mu -> f32.sqrt (f32.sum (map (\v -> (v-mu)*(v-mu)) c) / f32.i64 n + 1e-5)) t mu
  in map (\r -> map3 (\v mu sd -> (v-mu)/sd) r mu sd) x
