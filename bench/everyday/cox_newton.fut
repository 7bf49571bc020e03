-- Cox proportional hazards: diagonal Newton steps on the partial likelihood by suffix scans over the risk sets.
def suffix_sum [n] (xs: [n]f64) : [n]f64 = reverse (scan (+) 0 (reverse xs))

def main [n] [d] (steps: i32) (x: [n][d]f32) (status: [n]u8) : ([d]f64, f64) =
  -- subjects come in order of time, about two thirds with an event
  let event = map (\s -> f64.bool (s % 3 != 0)) status
  let feats = map (map (\v -> f64.f32 v - 0.5)) (transpose x)
  let risk beta =
    let eta = map (\row -> f64.sum (map2 (\v b -> (f64.f32 v - 0.5) * b) row beta)) x
    let w = map f64.exp eta
    in (eta, w, suffix_sum w)
  let beta =
    loop beta = replicate d 0 for _i < steps do
      let (_, w, s0) = risk beta
      let (g, h) =
        unzip (map (\f ->
                      let s1 = suffix_sum (map2 (*) f w)
                      let s2 = suffix_sum (map2 (\v u -> v * v * u) f w)
                      let terms =
                        tabulate n (\i ->
                                      let m = s1[i] / s0[i]
                                      in (event[i] * (f[i] - m), event[i] * (s2[i] / s0[i] - m * m)))
                      in reduce (\(a, b) (p, q) -> (a + p, b + q)) (0, 0) terms)
                   feats)
      in map3 (\b gi hi -> b + gi / (hi + 1)) beta g h
  let (eta, _, s0) = risk beta
  in (beta, f64.sum (map3 (\e t s -> e * (t - f64.log s)) event eta s0) / f64.i64 n)
