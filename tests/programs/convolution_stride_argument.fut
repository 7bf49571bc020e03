-- A stride that the program is given: whether a window lies within the data is known at run time only.
-- ==
-- input { [1f32, 2f32, 3f32, 4f32, 5f32, 6f32] [1f32, 10f32] 1i64 } output { [21f32, 32f32, 43f32, 54f32, 65f32] }
-- input { [1f32, 2f32, 3f32, 4f32, 5f32, 6f32] [1f32, 10f32] 2i64 } output { [21f32, 43f32, 65f32] }
-- input { [1f32, 2f32, 3f32, 4f32, 5f32, 6f32] [1f32, 10f32] 100i64 } output { [21f32] }
-- input { [1f32] [1f32, 10f32] 1i64 } output { empty([0]f32) }
-- input { [1f32, 2f32] empty([0]f32) 1i64 } output { [0f32, 0f32, 0f32] }
-- input { [1f32] [1f32, 10f32] -1i64 } error: out of bounds
-- input { [1f32, 2f32] [1f32] 0i64 } error: division by zero

entry main [n] [k] (x: [n]f32) (f: [k]f32) (s: i64) : []f32 =
  tabulate ((n - k) / s + 1) (\i -> #[sequential] reduce (+) 0 (tabulate k (\j -> x[i * s + j] * f[j])))
