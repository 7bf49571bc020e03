-- Batch of 6x6 Cholesky factorisations: Mahalanobis distance, log-determinant and log-likelihood of six-channel residuals.
def chol [n] (a: [n][n]f32) : [n][n]f32 =
  loop l = replicate n (replicate n 0) for j < n do
    let s = loop s = a[j, j] for k < j do s - l[j, k] * l[j, k]
    let d = f32.sqrt (f32.max 1e-8 s)
    let l = l with [j, j] = d
    in loop l for i in j + 1..<n do
         let s = loop s = a[i, j] for k < j do s - l[i, k] * l[j, k]
         in l with [i, j] = s / d

def forward [n] (l: [n][n]f32) (b: [n]f32) : [n]f32 =
  loop x = copy b for i < n do
    let s = loop s = x[i] for k < i do s - l[i, k] * x[k]
    in x with [i] = s / l[i, i]

entry main [b] (ridge: f32) (samples: [b][8][6]f32) (res: [b][6]f32) : ([b]f32, [b]f32, f64) =
  let one (s: [8][6]f32) (r: [6]f32) =
    let cols = transpose s
    let mu = map (\c -> f32.sum c / 8) cols
    let dev = map2 (\c m -> map (\x -> x - m) c) cols mu
    let cov = tabulate_2d 6 6 (\i j ->
        f32.sum (map2 (*) dev[i] dev[j]) / 7 + (if i == j then 0.01 + ridge else 0))
    let l = chol cov
    let z = forward l (map2 (-) r mu)
    let ld = 2 * f32.sum (map (\i -> f32.log l[i, i]) (iota 6))
    in (f32.sqrt (f32.sum (map (\x -> x * x) z)), ld)
  let (m, ld) = unzip (map2 one samples res)
  in (m, ld, f64.sum (map2 (\m l -> -0.5 * f64.f32 (m * m + l + 11.027262)) m ld))
