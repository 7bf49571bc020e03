-- Programs whose plans tests/frontend_bridge/plan_test.cpp shows: what it expects stands in tests/golden/files/frontend_bridge/plans.

entry scan_then_map [n] (xs: [n]i32) : [n]i32 = map (* 2) (scan (+) 0 xs)

entry histogram [n] (bins: [n]i64) (k: i64) : [k]i32 = hist (+) 0 k bins (map (const 1) bins)

entry blocks [n] [m] (xss: [n][m]f32) : [n][m]f32 =
  map (\xs -> let sums = scan (+) 0 xs in map (/ reduce f32.max 0 sums) sums) xss

entry jacobi [n] (xs: [n]f32) (steps: i64) : [n]f32 =
  loop xs for _i < steps do tabulate n (\i -> (xs[i64.max 0 (i - 1)] + xs[i] + xs[i64.min (n - 1) (i + 1)]) / 3)

def at [h] [w] (img: [h][w]f32) (y: i64) (x: i64) = #[unsafe] img[i64.max 0 (i64.min (h - 1) y), i64.max 0 (i64.min (w - 1) x)]

def sum3x3 [h] [w] (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> #[unroll] loop s = 0 for i < 9 do s + at img (y + i / 3 - 1) (x + i % 3 - 1))

entry harris [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let ix = tabulate_2d h w (\y x -> at img y (x + 1) - at img y (x - 1))
  let iy = tabulate_2d h w (\y x -> at img (y + 1) x - at img (y - 1) x)
  let sxx = sum3x3 (map (map (\a -> a * a)) ix)
  let syy = sum3x3 (map (map (\a -> a * a)) iy)
  let sxy = sum3x3 (map2 (map2 (*)) ix iy)
  in tabulate_2d h w (\y x -> let det = sxx[y, x] * syy[y, x] - sxy[y, x] * sxy[y, x]
                              let trace = sxx[y, x] + syy[y, x]
                              in det - 0.04 * trace * trace)

entry convolution [h] [w] [k] (img: [h][w]f32) (f: [k][k]f32) : [][]f32 =
  tabulate_2d (h - k + 1) (w - k + 1) (\y x -> f32.sum (map2 (\i fs -> f32.sum (map2 (*) fs (img[y + i, x:x + k] :> [k]f32))) (iota k) f))
