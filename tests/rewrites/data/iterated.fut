-- Iterated stencils: which loops run several steps in a kernel, and which do not.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

entry fixed [h][w] (steps: i64) (img: [h][w]i32) : [h][w]i32 =
  let step (a: [h][w]i32) = tabulate_2d h w (\y x ->
    if y == 0 || y == h - 1 || x == 0 || x == w - 1 then a[y, x] else a[y - 1, x] + 2 * a[y, x + 1] - a[y + 1, x - 1])
  in loop a: [h][w]i32 = img for _i < steps do step a

entry counted [n] (steps: i64) (xs: [n]i32) : ([n]i32, i64) =
  loop (a: [n]i32, k) = (xs, 1) for i < steps do
    (tabulate n (\j -> a[clamp n (j - 1)] + 3 * a[clamp n (j + 2)] + i32.i64 (i * k)), 3 * k + 1)

entry pairs [h][w] (steps: i64) (img: [h][w]i32) (weights: [h][w]i32) : ([h][w]i32, [h][w]i64) =
  loop (u: [h][w]i32, v: [h][w]i64) = (img, map (map i64.i32) img) for _i < steps do
    unzip (map unzip (tabulate_2d h w (\y x ->
      (u[clamp h (y - 1), x] + weights[y, x] * i32.i64 v[y, x], v[y, clamp w (x + 1)] - i64.i32 u[y, x]))))

entry stages [h][w] (steps: i64) (img: [h][w]i32) : [h][w]i32 =
  let along (a: [h][w]i32) = tabulate_2d h w (\y x -> a[y, clamp w (x - 1)] + 2 * a[y, clamp w (x + 2)])
  let across (a: [h][w]i32) = tabulate_2d h w (\y x -> a[clamp h (y - 1), x] - a[clamp h (y + 1), x])
  in loop a: [h][w]i32 = img for _i < steps do across (along a)

entry until [n] (most: i64) (xs: [n]i32) : ([n]i32, i64) =
  loop (a: [n]i32, k) = (xs, 0) while k < most do (tabulate n (\j -> a[clamp n (j - 1)] + 3 * a[clamp n (j + 2)]), k + 1)

entry summed [n] (steps: i64) (xs: [n]i32) : ([n]i32, i32) =
  loop (a: [n]i32, s) = (xs, 0) for _i < steps do (tabulate n (\j -> a[clamp n (j - 1)] + 3 * a[clamp n (j + 2)]), s + i32.sum a)

entry gathered [n] (steps: i64) (xs: [n]i32) : [n]i32 =
  loop a: [n]i32 = xs for _i < steps do tabulate n (\j -> a[n - 1 - j] + a[j])

-- In bounds for what images hold, which are numbers from 1 to 11, and for nothing else.
entry looked_up [h][w] (steps: i64) (img: [h][w]i32) (table: []i32) : [h][w]i32 =
  loop a: [h][w]i32 = img for _i < steps do
    tabulate_2d h w (\y x -> #[unsafe] table[i64.i32 (a[y, x] - 1 + 11 * (a[clamp h (y - 1), x] - 1))])
