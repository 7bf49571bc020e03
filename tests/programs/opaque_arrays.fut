-- Arrays of records at entry points.
-- ==
-- entry: firsts
-- script input { make 3i64 } output { [0, 1, 2] }

-- ==
-- entry: weigh
-- script input { (make 3i64, 10) } output { [0.0f32, 15.0f32, 30.0f32] }

entry make (n: i64) : [n](i32, f32) = map (\i -> (i32.i64 i, f32.i64 i / 2)) (iota n)

entry firsts [n] (xs: [n](i32, f32)) : [n]i32 = map (.0) xs

entry weigh [n] (xs: [n](i32, f32)) (k: i32) : [n]f32 = map (\(a, b) -> f32.i32 (a * k) + b * f32.i32 k) xs
