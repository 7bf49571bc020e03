-- Arrays of tuples are several arrays: zipped, mapped, indexed, updated and taken apart.
-- ==
-- input { [1, 2, 3] [true, false, true] [0.5f32, 1.5f32, 2.5f32] }
-- output { [100, 2, 2] [true, true, false] [0.0f32, 1.5f32, 1.5f32] 2 [1, 2, 3] }
-- input { [1] [true] [0.0f32] } output { [100] [true] [0.0f32] 100 [1] }

entry main [n] (xs: [n]i32) (bs: [n]bool) (fs: [n]f32) : ([n]i32, [n]bool, [n]f32, i32, [n](i32)) =
  let zs = zip3 xs bs fs
  let ws = map (\(x, b, f) -> if b then (x * 2, false, f + 1) else (x, true, f)) (reverse zs)
  let ws = ws with [0] = (100, true, 0)
  let (as, cs, gs) = unzip3 ws
  in (as, cs, gs, ws[n - 1].0, map (\(_, (x, _)) -> x) (zip as (zip xs fs)))
