-- Recursive least squares filters of many channels: each tracks an unknown response with a forgetting factor.
def predict [k] (w: [k]f64) (u: [k]f64) : f64 = reduce (+) 0 (map2 (*) w u)

entry main [c][t] (k: i64) (forget: f64) (input: [c][t]f32) (desired: [c][t]f32) : ([c][k]f64, [c]f64) =
  let channel (x: [t]f32) (d: [t]f32) : ([k]f64, f64) =
    let p0 = tabulate_2d k k (\i j -> if i == j then 10f64 else 0)
    let (w, _, e2) =
      loop (w, p, e2) = (replicate k 0f64, p0, 0) for n < t do
        let u = tabulate k (\i -> if n >= i then f64.f32 x[n - i] - 0.5 else 0)
        let pu = map (\row -> predict row u) p
        let denom = forget + predict u pu
        let gain = map (/ denom) pu
        let err = f64.f32 d[n] - predict w u
        let w = map2 (\w g -> w + g * err) w gain
        let p = map2 (\g row -> map2 (\pij puj -> (pij - g * puj) / forget) row pu) gain p
        in (w, p, e2 + err * err)
    in (w, e2 / f64.i64 t)
  in unzip (map2 channel input desired)
