-- Gaussian process regression for many small data sets: squared exponential kernel, Cholesky in place, predictive mean and variance, log likelihood for a few length scales and the scales' weights.
def kernel [d] (scale: f32) (a: [d]f32) (b: [d]f32) : f32 =
  let r = f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  in f32.exp (-0.5 * r / (scale * scale))

def cholesky [m] (a: *[m][m]f32) : *[m][m]f32 =
  loop a for j < m do
    let p = f32.sqrt (loop s = a[j, j] for k < j do s - a[j, k] * a[j, k])
    let a[j, j] = p
    in loop a for i in j + 1..<m do
         let s = loop s = a[i, j] for k < j do s - a[i, k] * a[j, k]
         in a with [i, j] = s / p

def forward_solve [m] (l: [m][m]f32) (b: [m]f32) : [m]f32 =
  loop x = replicate m 0f32 for i < m do
    let s = loop s = b[i] for k < i do s - l[i, k] * x[k]
    in x with [i] = s / l[i, i]

def backward_solve [m] (l: [m][m]f32) (b: [m]f32) : [m]f32 =
  loop x = replicate m 0f32 for r < m do
    let i = m - 1 - r
    let s = loop s = b[i] for k in i + 1..<m do s - l[k, i] * x[k]
    in x with [i] = s / l[i, i]

def fit [m] [d] (noise: f32) (scale: f32) (xs: [m][d]f32) (ys: [m]f32) : ([m][m]f32, [m]f32, f32) =
  let gram =
    tabulate_2d m m (\i j -> kernel scale xs[i] xs[j] + (if i == j then noise else 0))
  let l = cholesky gram
  let alpha = backward_solve l (forward_solve l ys)
  let logdet = f32.sum (map (\i -> f32.log l[i, i]) (iota m))
  in (l, alpha, -0.5 * f32.sum (map2 (*) ys alpha) - logdet)

def predict [m] [d] [q] (scale: f32) (l: [m][m]f32) (alpha: [m]f32) (xs: [m][d]f32) (at: [q][d]f32) : ([q]f32, [q]f32) =
  unzip (map (\p ->
    let ks = map (kernel scale p) xs
    let v = forward_solve l ks
    in (f32.sum (map2 (*) ks alpha), f32.max 0 (1 - f32.sum (map2 (*) v v)))) at)

entry main [b] [m] [d] [q] (noise: f32) (xs: [b][m][d]f32) (ys: [b][m]f32) (at: [b][q][d]f32)
    : ([b][q]f32, [b][q]f32, [b][3]f32) =
  let scales = [0.3f32, 0.5, 0.8]
  let one (x: [m][d]f32) (y: [m]f32) (p: [q][d]f32) =
    let mean = f32.sum y / f32.i64 m
    let y' = map (\v -> v - mean) y
    let fits = map (\s -> fit noise s x y') scales
    let evidence = map (.2) fits
    -- the scales are averaged with weights from the tempered evidence
    let top = f32.maximum evidence
    let raw = map (\e -> f32.exp ((e - top) / f32.i64 m)) evidence
    let w = map (/ f32.sum raw) raw
    let (mu, var) =
      loop (mu, var) = (replicate q mean, replicate q 0f32) for i < 3 do
        let (a, v) = predict scales[i] fits[i].0 fits[i].1 x p
        in (map2 (\s t -> s + w[i] * t) mu a, map2 (\s t -> s + w[i] * t) var v)
    in (mu, var, w)
  in unzip3 (map3 one xs ys at)
