entry main [n] (t: f32) (p: *[n]f32) (m: *[n]f32) (v: *[n]f32) (g: [n]f32) : ([n]f32, [n]f32, [n]f32) =
  let m = map2 (\m g -> 0.9*m + 0.1*g) m g
  let v = map2 (\v g -> 0.999*v + 0.001*g*g) v g
  let p = map3 (\p m v -> p - 0.001*(m/(1-0.9**t))/(f32.sqrt (v/(1-0.999**t)) + 1e-8)) p m v
  in (p, m, v)
