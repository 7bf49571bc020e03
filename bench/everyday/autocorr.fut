-- Autocorrelation of a signal for many lags.
def main [n] (lags: i64) (xs: [n]f32) : [lags]f32 =
  let mean = f32.sum xs / f32.i64 n
  let ys = map (\x -> x - mean) xs
  in map (\l -> f32.sum (map (\i -> if i + l < n then ys[i] * ys[i+l] else 0) (iota n))) (iota lags)
