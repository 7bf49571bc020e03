-- The reverse-mode derivative of a gather adds up in accumulators, and that of a product reads what was saved.
-- ==
-- entry: gather
-- input { [1.0f64, 2.0f64, 3.0f64] [0i64, 2i64, 0i64] } output { [4.0f64, 0.0f64, 6.0f64] }

-- ==
-- entry: product
-- input { [2.0f64, 3.0f64, 4.0f64] } output { [12.0f64, 8.0f64, 6.0f64] }

entry gather [n] [m] (xs: [n]f64) (is: [m]i64) : [n]f64 =
  vjp (\(ys: [n]f64) -> f64.sum (map (\i -> ys[i] * ys[i]) is)) xs 1

entry product [n] (xs: [n]f64) : [n]f64 = vjp (\(ys: [n]f64) -> reduce (*) 1 ys) xs 1
