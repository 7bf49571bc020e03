-- Only some points reduce.
-- ==
-- entry: main
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [1f32, 10f32] [true, false, true] } output { [21f32, 0f32, 65f32] }
-- input { empty([0][2]f32) [1f32, 10f32] empty([0]bool) } output { empty([0]f32) }

entry main [n] [m] (a: [n][m]f32) (b: [m]f32) (wanted: [n]bool) : [n]f32 =
  map2 (\row w -> if w then #[sequential] f32.sum (map2 (*) row b) else 0) a wanted

-- ==
-- entry: triangle
-- input { [1f32, 2f32, 3f32, 4f32] 1i64 } output { [1f32, 2f32, -1f32, -6f32] }

entry triangle [n] (xs: [n]f32) (k: i64) : [n]f32 =
  tabulate n (\i -> if k < i then #[sequential] xs[i] - f32.sum (map2 (*) xs[:i] (reverse xs[:i])) else xs[i])
