-- Mean and variance of every column, from sums that are exact.
-- ==
-- input { [[1.0, 2.0], [3.0, 2.0]] } output { [2.0f64, 2.0f64] [1.0f64, 0.0f64] }
-- input { [[5.0]] } output { [5.0f64] [0.0f64] }

entry main [n] [m] (xss: [n][m]f64) : ([m]f64, [m]f64) =
  unzip (map (\xs ->
    let mean = f64.sum xs / f64.i64 n
    in (mean, f64.sum (map (\x -> (x - mean) * (x - mean)) xs) / f64.i64 n)) (transpose xss))
