-- Rounding functions, halves to even, and negative zero.
-- ==
-- entry: f32s
-- input { [0.5f32, 1.5f32, 2.5f32, -0.5f32, -1.5f32, 2.4f32, -2.6f32] }
-- output {
--   [0.0f32, 1.0f32, 2.0f32, -1.0f32, -2.0f32, 2.0f32, -3.0f32]
--   [1.0f32, 2.0f32, 3.0f32, -0.0f32, -1.0f32, 3.0f32, -2.0f32]
--   [0.0f32, 2.0f32, 2.0f32, -0.0f32, -2.0f32, 2.0f32, -3.0f32]
--   [0.0f32, 1.0f32, 2.0f32, 0.0f32, -1.0f32, 2.0f32, -2.0f32]
-- }

-- ==
-- entry: f64s
-- input { [0.5f64, 1.5f64, 2.5f64, -0.5f64, -1.5f64, 2.4f64, -2.6f64] }
-- output {
--   [0.0f64, 1.0f64, 2.0f64, -1.0f64, -2.0f64, 2.0f64, -3.0f64]
--   [1.0f64, 2.0f64, 3.0f64, -0.0f64, -1.0f64, 3.0f64, -2.0f64]
--   [0.0f64, 2.0f64, 2.0f64, -0.0f64, -2.0f64, 2.0f64, -3.0f64]
--   [0.0f64, 1.0f64, 2.0f64, 0.0f64, -1.0f64, 2.0f64, -2.0f64]
-- }

entry f32s [n] (xs: [n]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  (map f32.floor xs, map f32.ceil xs, map f32.round xs, map f32.trunc xs)

entry f64s [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  (map f64.floor xs, map f64.ceil xs, map f64.round xs, map f64.trunc xs)
