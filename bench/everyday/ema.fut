-- Exponential means of columns, and bands around them.
def main [t][n] (alpha: f32) (xs: [t][n]f32) : ([t][n]f32, [t][n]f32) =
  let (ms, vs, _, _) = loop (ms, vs, m, v) = (replicate t (replicate n 0), replicate t (replicate n 0), replicate n 0, replicate n 0) for i < t do
    let m2 = map2 (\m x -> m + alpha * (x - m)) m xs[i]
    let v2 = map3 (\v m x -> (1 - alpha) * (v + alpha * (x - m) * (x - m))) v m xs[i]
    in (ms with [i] = m2, vs with [i] = v2, m2, v2)
  in (ms, vs)
