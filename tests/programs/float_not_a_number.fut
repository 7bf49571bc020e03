-- Infinities and NaN: tests for them, comparisons, minimum and maximum, which prefer numbers.
-- ==
-- entry: tests
-- input { [0.0f32, f32.inf, -f32.inf, f32.nan] } output { [false, false, false, true] [false, true, true, false] }

-- ==
-- entry: pairs
-- input { [f32.nan, 1.0f32, f32.inf, f32.nan] [1.0f32, f32.nan, -f32.inf, f32.nan] }
-- output {
--   [1.0f32, 1.0f32, -f32.inf, f32.nan]
--   [1.0f32, 1.0f32, f32.inf, f32.nan]
--   [false, false, false, false]
--   [false, false, false, false]
--   [true, true, true, true]
-- }

-- ==
-- entry: produced
-- input { [0.0f64, 1.0f64, -1.0f64] }
-- output { [f64.nan, f64.inf, -f64.inf] [0.0f64, 1.0f64, f64.nan] [-f64.inf, 0.0f64, f64.nan] }

entry tests [n] (xs: [n]f32) : ([n]bool, [n]bool) = (map f32.isnan xs, map f32.isinf xs)

entry pairs [n] (xs: [n]f32) (ys: [n]f32) : ([n]f32, [n]f32, [n]bool, [n]bool, [n]bool) =
  (map2 f32.min xs ys, map2 f32.max xs ys, map2 (<) xs ys, map2 (==) xs ys, map2 (!=) xs ys)

entry produced [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64) = (map (/ 0) xs, map f64.sqrt xs, map f64.log xs)
