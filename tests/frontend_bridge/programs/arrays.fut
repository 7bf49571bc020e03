-- Array operations, scans, histograms, scatters, accumulators, streams, derivatives.
entry sums [n] (xs: [n]i64) : [n]i64 = scan (+) 0 xs

entry extremes [n] (xs: [n]f32) : (f32, f32, [n]f32) =
  let (lo, hi) = reduce_comm (\(a, b) (c, d) -> (f32.min a c, f32.max b d)) (f32.inf, -f32.inf) (zip xs xs)
  in (lo, hi, scan f32.max (-f32.inf) (map (\x -> (x - lo) / (hi - lo)) xs))

entry histogram [n] (k: i64) (is: [n]i64) (vs: [n]i32) : [k]i32 = reduce_by_index (replicate k 0) (+) 0 is vs

entry move [n] (dest: *[n]f32) (is: [n]i64) (vs: [n]f32) : *[n]f32 = scatter dest is (map (* 2) vs)

entry layout [n][m] (a: [n][m]i8) : ([m][n]i8, [n * m]i8, [n + n][m]i8, [n][m]i8) =
  (transpose a, flatten a, concat a a, reverse (map reverse a))

entry literals (i: i64) : (i32, f32) = ([1, 2, 3, -4][i], [0.5f32, 1e-3, 2.5e10][i])

entry matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a

entry rowscans [n][m] (a: [n][m]i32) : [n][m]i32 = map (scan (\x y -> x * 2 + y) 0) a

entry filtered (xs: []i32) : []i32 = filter (> 0) xs

entry updated [n][m] (a: *[n][m]i32) (i: i64) : *[n][m]i32 =
  loop a for j < n do a with [j, i] = a[j, 0] + 1

entry slices [n] (a: [n]i32) (i: i64) (j: i64) : ([]i32, []i32) = (copy a[i:j:2], a[::-1])

entry gradient [n] (xs: [n]f64) : [n]f64 = vjp (\ys -> f64.sum (map (\y -> f64.sin y * y) ys)) xs 1

entry tangent (x: f64) : f64 = jvp (\y -> f64.sqrt y ** 3) x 1

entry vectors [n] (xs: [n][3]f32) : [3]f32 = reduce (map2 (+)) [0, 0, 0] xs
