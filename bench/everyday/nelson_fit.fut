-- Yield curves: Nelson-Siegel fit of each day's yields by least squares over a grid of decay rates, best rate and factors.
def loadings (lambda: f64) (t: f64) : [3]f64 =
  let x = lambda * t
  let e = f64.exp (-x)
  let s = (1 - e) / x
  in [1, s, s - e]

-- Symmetric positive 3x3 system by Cholesky.
def solve3 (a: [3][3]f64) (b: [3]f64) : [3]f64 =
  let l00 = f64.sqrt a[0, 0]
  let l10 = a[1, 0] / l00
  let l20 = a[2, 0] / l00
  let l11 = f64.sqrt (a[1, 1] - l10 * l10)
  let l21 = (a[2, 1] - l20 * l10) / l11
  let l22 = f64.sqrt (a[2, 2] - l20 * l20 - l21 * l21)
  let y0 = b[0] / l00
  let y1 = (b[1] - l10 * y0) / l11
  let y2 = (b[2] - l20 * y0 - l21 * y1) / l22
  let x2 = y2 / l22
  let x1 = (y1 - l21 * x2) / l11
  in [(y0 - l10 * x1 - l20 * x2) / l00, x1, x2]

def fit [m] (ts: [m]f64) (ys: [m]f64) (lambda: f64) : ([3]f64, f64) =
  let xs = map (loadings lambda) ts
  let normal = tabulate_2d 3 3 (\i j -> f64.sum (map (\r -> r[i] * r[j]) xs) + (if i == j then 1e-3 else 0))
  let rhs = tabulate 3 (\i -> f64.sum (map2 (\r y -> r[i] * y) xs ys))
  let beta = solve3 normal rhs
  let err = f64.sum (map2 (\r y -> let d = y - f64.sum (map2 (*) r beta) in d * d) xs ys)
  in (beta, err)

entry main [n][m] (grid: i64) (yields: [n][m]f64) : ([n]f64, [n][3]f64, f64) =
  let ts = map (\k -> 0.25 * f64.i64 ((k + 1) * (k + 2) / 2)) (iota m)
  let curve ys = map2 (\t y -> 3 + 1.5 * f64.exp (-t / 4) + 0.2 * y) ts ys
  let rate g = 0.1 + 1.4 * f64.i64 g / f64.i64 grid
  let one ys =
    let c = curve ys
    let fits = map (\g -> (fit ts c (rate g)).1) (iota grid)
    -- Rates weighted by how well they fit, so that near ties do not jump.
    let ws = map (\e -> f64.exp (-20 * e)) fits
    let total = f64.sum ws
    let mean = f64.sum (map2 (\g w -> w * rate g) (iota grid) ws) / total
    let (beta, err) = fit ts c mean
    in (mean, beta, err)
  let (rates, betas, errs) = unzip3 (map one yields)
  in (rates, betas, f64.sum errs / f64.i64 n)
