entry scattered [n][m] (dest: *[n]i32) (is: [m]i64) (vs: [m]i32) : [n]i32 = scatter dest is vs

entry scattered2d [n][m][k] (dest: *[n][m]i32) (is: [k]i64) (js: [k]i64) (vs: [k]i32) : [n][m]i32 =
  scatter_2d dest (zip is js) vs

entry histogram [n] (k: i64) (is: [n]i64) (vs: [n]i32) : ([k]i32, [k]i32) =
  (reduce_by_index (replicate k 0) (+) 0 is vs, reduce_by_index (replicate k i32.lowest) i32.max i32.lowest is vs)

entry histograms [n][m] (k: i64) (is: [n][m]i64) : [n][k]i64 =
  map (\row -> reduce_by_index (replicate k 0) (+) 0 row (map (const 1) row)) is

entry in_place [n] (xs: *[n]i32) : [n]i32 =
  loop xs for i < n - 1 do xs with [i + 1] = xs[i] + xs[i + 1]

entry rows [n][m] (xs: *[n][m]i32) : [n][m]i32 =
  loop xs for i < n do xs with [i, :] = map (* i32.i64 i) (reverse xs[i])

entry sieve (n: i64) : []i64 =
  let flags = replicate (n + 1) true
  let flags = loop flags for i in 2..<n + 1 do
    if flags[i] then (loop flags = copy flags for j < n / i - 1 do flags with [(j + 2) * i] = false) else flags
  in filter (\i -> i > 1 && flags[i]) (iota (n + 1))
