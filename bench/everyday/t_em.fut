-- Robust location and scale of many groups: EM for the Student t distribution with fixed degrees of freedom.
entry main [g][n] (nu: f32) (iters: i64) (xs: [g][n]f32) : ([g]f32, [g]f32) =
  let fit (x: [n]f32) : (f32, f32) =
    let m0 = f32.sum x / f32.i64 n
    in loop (mu, s2) = (m0, 0.1) for _i < iters do
         let w = map (\v -> (nu + 1) / (nu + (v - mu) * (v - mu) / s2)) x
         let mu' = f32.sum (map2 (*) w x) / f32.sum w
         in (mu', f32.sum (map2 (\w v -> w * (v - mu') * (v - mu')) w x) / f32.i64 n)
  let (mu, s2) = unzip (map fit xs)
  in (mu, map f32.sqrt s2)
