-- Undecimated Haar transform of many signals: soft-thresholded details, summed back.
entry main [b][n] (levels: i64) (thr: f32) (xs: [b][n]f32) : [b][n]f32 =
  let soft d = f32.sgn d * f32.max 0 (f32.abs d - thr)
  let denoise (x: [n]f32) : [n]f32 =
    let (approx, details) =
      loop (a, acc) = (x, replicate n 0) for l < levels do
        let step = 1 << l
        let low = map (\i -> 0.5 * (a[i] + a[(i + step) % n])) (iota n)
        in (low, map3 (\s p q -> s + soft (p - q)) acc a low)
    in map2 (+) approx details
  in map denoise xs
