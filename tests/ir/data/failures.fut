entry at [n] (xs: [n]i32) (i: i64) : i32 = xs[i]
entry gather [n][m] (xs: [n]i32) (is: [m]i64) : [m]i32 = map (\i -> xs[i]) is
entry slice [n] (xs: [n]i32) (i: i64) (j: i64) : []i32 = xs[i:j]
entry divide (x: i32) (y: i32) : i32 = x / y
entry asserted (x: i32) : i32 = assert (x > 10) (x - 10)
entry same [n][m] (xs: [n]i32) (ys: [m]i32) : i32 = i32.sum (map2 (+) xs (ys :> [n]i32))
entry guarded [n] (xs: [n]i32) (i: i64) : i32 = if i >= 0 && i < n then xs[i] else -1
