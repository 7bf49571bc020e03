-- VICReg loss (invariance, variance, covariance) of two batches of embeddings with its gradients by vjp.
def centred [n][d] (z: [n][d]f32) : [n][d]f32 =
  let mu = map (\c -> f32.sum c / f32.i64 n) (transpose z)
  in map (\r -> map2 (-) r mu) z

def spread [n][d] (z: [n][d]f32) : f32 =
  let var = map (\c -> f32.sum (map (\v -> v * v) c) / f32.i64 (n - 1)) (transpose z)
  in f32.sum (map (\v -> f32.max 0 (1 - f32.sqrt (v + 1e-4))) var) / f32.i64 d

def decor [n][d] (z: [n][d]f32) : f32 =
  let zt = transpose z
  let cov = map (\a -> map (\b -> f32.sum (map2 (*) a b) / f32.i64 (n - 1)) zt) zt
  let off = map2 (\i r -> f32.sum (map2 (\j c -> if i == j then 0 else c * c) (iota d) r)) (iota d) cov
  in f32.sum off / f32.i64 d

def loss [n][d] (a: [n][d]f32, b: [n][d]f32) : f32 =
  let inv = f32.sum (map2 (\r s -> f32.sum (map2 (\x y -> (x - y) * (x - y)) r s)) a b) / f32.i64 (n * d)
  let (a, b) = (centred a, centred b)
  in 25 * inv + 25 * (spread a + spread b) + (decor a + decor b)

entry main [n][d] (a: [n][d]f32) (b: [n][d]f32) : (f32, [n][d]f32, [n][d]f32) =
  let (l, (ga, gb)) = (loss (a, b), vjp loss (a, b) 1)
  in (l, map (map (* f32.i64 n)) ga, map (map (* f32.i64 n)) gb)
