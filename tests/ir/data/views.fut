entry slices [n][m] (a: [n][m]i32) : ([][]i32, []i32, [][]i32) =
  (a[1:n:2, ::-1], a[n / 2], transpose a[:, 1:])

entry reshaped [k] (n: i64) (xs: [k]i32) : ([n][2][3]i32, [n * 6]i32) =
  let ys = unflatten_3d (sized (n * 2 * 3) xs)
  in (ys, sized (n * 6) (flatten_3d (map (map (map (+ 1))) ys)))

entry joined [n][m] (a: [n][m]i32) (b: [n][m]i32) : ([][m]i32, [n][]i32) =
  (a ++ b, map2 (\x y -> x ++ y ++ [7]) a b)

entry rotated [n] (xs: [n]i32) : ([n]i32, [n]i32) = (rotate 2 xs, rotate (-1) xs)

entry zipped [n] (xs: [n]i32) (ys: [n]f32) (zs: [n]bool) : ([n]bool, [n]i32) =
  unzip (map3 (\a b c -> (c && b > 0.5, a)) xs ys zs)

entry windows [n] (xs: [n]i64) : []i64 =
  let k = 3
  in map (\i -> i64.sum (map (\j -> xs[i + j]) (iota k))) (iota (i64.max 0 (n - k + 1)))
