-- Medians of columns by bisection on values.
entry main [n][m] (x: [n][m]f32) : [m]f32 =
  map (\c -> (loop (lo, hi) = (0f32, 1f32) for _i < 24i32 do
    let mid = (lo+hi)/2
    in if i64.sum (map (\v -> i64.bool (v < mid)) c) * 2 < n then (mid, hi) else (lo, mid)).0) (transpose x)
