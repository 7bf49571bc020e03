-- Poisson regression with log link by Newton's method; the normal equations are solved by elimination.
def solve [d] (a: [d][d]f64) (b: [d]f64) : [d]f64 =
  let (_, b) =
    loop (a, b) for k < d do
      let prow = map (/ a[k, k]) a[k]
      let pb = b[k] / a[k, k]
      let a' = tabulate_2d d d (\i j -> if i == k then prow[j] else a[i, j] - a[i, k] * prow[j])
      let b' = tabulate d (\i -> if i == k then pb else b[i] - a[i, k] * pb)
      in (a', b')
  in b

entry main [n][d] (iters: i64) (xs: [n][d]f32) (ys: [n]u8) : ([d]f64, f64) =
  let x = map (map (\v -> f64.f32 v - 0.3)) xs
  let y = map (\v -> f64.u8 (v % 4)) ys
  let eta (beta: [d]f64) = map (\r -> f64.sum (map2 (*) r beta)) x
  let beta =
    loop beta = replicate d 0 for _i < iters do
      let mu = map f64.exp (eta beta)
      let grad = map (\c -> f64.sum (map3 (\v yi m -> v * (yi - m)) c y mu)) (transpose x)
      let hess = map (\a -> map (\b -> f64.sum (map3 (\p q m -> p * q * m) a b mu)) (transpose x)) (transpose x)
      in map2 (+) beta (solve hess grad)
  let dev = f64.sum (map2 (\yi e -> f64.exp e - yi * e) y (eta beta))
  in (beta, dev / f64.i64 n)
