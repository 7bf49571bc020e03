-- CUSUM change point of each series: centred running sum (exact, in integers), its largest excursion, the means before and after.
entry main [n][m] (series: [n][m]i16) : ([n]i64, [n]f32, [n]f32, [n][m]f32) =
  let m' = i64.max 1 m
  let one (xs: [m]i16) =
    let x = map (\v -> i64.i16 v / 8) xs
    let run = scan (+) 0 x
    let total = if m == 0 then 0 else run[m-1]
    let s = map2 (\i r -> r * m' - (i + 1) * total) (iota m) run
    let (_, at) = reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i)) (-1, 0)
                         (zip (map i64.abs s) (iota m))
    let head = if m == 0 then 0 else run[at]
    let before = f32.i64 head / f32.i64 (at + 1)
    let after = f32.i64 (total - head) / f32.i64 (i64.max 1 (m - at - 1))
    in (at, before, after, map (\v -> f32.i64 v / f32.i64 (m' * m')) s)
  in unzip4 (map one series)
