-- Two-sample Kolmogorov-Smirnov and Cramer-von Mises distances on binned data.
def cdf [n] (bins: i64) (xs: [n]f32) : [bins]f64 =
  let is = map (\x -> i64.max 0 (i64.min (bins - 1) (i64.f32 (x * f32.i64 bins)))) xs
  let counts = hist (+) 0i64 bins is (replicate n 1)
  in map (\c -> f64.i64 c / f64.i64 n) (scan (+) 0 counts)

entry main [n][m] (bins: i64) (xs: [n]f32) (ys: [m]f32) : (f64, f64) =
  let d = map2 (-) (cdf bins xs) (cdf bins (map (\y -> y * y) ys))
  in (f64.maximum (map f64.abs d), f64.sum (map (\e -> e * e) d) / f64.i64 bins)
