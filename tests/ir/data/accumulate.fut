-- Differentiation leaves accumulators behind.
def weighted [n][m] (w: [m]f64) (xs: [n]f64) : f64 =
  f64.sum (map (\i -> f64.sum (map (\j -> w[j] * xs[(i + j) % n] * xs[i]) (iota m))) (iota n))

entry gradient [n][m] (w: [m]f64) (xs: [n]f64) : ([m]f64, [n]f64) =
  vjp (\(w, xs) -> weighted w xs) (w, xs) 1

entry gathered [n][m] (xs: [n]f64) (is: [m]i64) : [n]f64 =
  vjp (\xs -> f64.sum (map (\i -> xs[i] * xs[i]) is)) xs 1

entry forward [n] (xs: [n]f64) : f64 =
  jvp (\xs -> f64.product xs) xs (map (const 1) xs)
