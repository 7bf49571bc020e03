-- Each entry point is one seg op. tests/rewrites/lower/gathers_test.cpp says which of them only move elements.

entry moved [n] (x: [n][n]f32) : [n][n]f32 = tabulate_2d n n (\i j -> #[unsafe] x[n - 1 - j, i / 2])

entry windows [n] (x: [n]f32) (k: i64) : [][]f32 = tabulate_2d (n - k + 1) k (\i j -> x[i + j])

entry padded [n] (x: [n]f32) : [n + 2]f32 =
  tabulate (n + 2) (\i -> if i >= 1 && i < n + 1 then #[unsafe] x[i - 1] else 0)

entry chosen [n] (x: [n]f32) (y: [n]f32) : [n]f32 = tabulate n (\i -> if i % 2 == 0 then x[i] else y[i])

entry computed [n] (x: [n]f32) : [n]f32 = map (+ 1) x

entry indirect [n] (x: [n]f32) (is: [n]i64) : [n]f32 = map (\i -> #[unsafe] x[i]) is

entry by_value [n] (x: [n]f32) (y: [n]f32) : [n]f32 = map2 (\a b -> if a > 0 then a else b) x y

entry sums [n][m] (x: [n][m]f32) : [n]f32 = map (\r -> #[sequential] f32.sum r) x

entry two_results [n] (x: [n]f32) : ([n]f32, [n]f32) = unzip (tabulate n (\i -> (#[unsafe] x[n - 1 - i], #[unsafe] x[i / 2])))

entry updates [n] (x: *[n]f32) (i: i64) : [n]f32 = x with [i] = 1

entry scatters [n] (x: *[n]f32) (is: [n]i64) (vs: [n]f32) : [n]f32 = scatter x is vs

entry carries [n] (x: *[n]f32) (m: i64) : [n]f32 = loop x for _i < m do map (* 2) (reverse x)

entry updates_a_row [n] (x: [n]f32) : [n][n]f32 =
  tabulate n (\i -> #[sequential] let row = copy x let row[i] = 0f32 in row)
