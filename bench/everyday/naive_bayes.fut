-- Naive Bayes over binned byte features: counts by one large histogram, then each sample's two best log posteriors.
def bins = 8i64
type best2 = (f32, f32)

def merge2 ((a, b): best2) ((c, d): best2) : best2 =
  if a > c then (a, f32.max b c) else (c, f32.max a d)

entry main [n] [f] (c: i64) (xs: [n][f]u8) (labels: [n]i32) : ([c]f32, [n]f32, [n]f32, f32) =
  let ys = map (\l -> i64.i32 (l & 0x7fffffff) % c) labels
  let bin (x: u8) = i64.u8 (x >> 5)
  let keys = flatten (map2 (\x y -> tabulate f (\j -> (y * f + j) * bins + bin x[j])) xs ys)
  let counts = unflatten_3d (reduce_by_index (replicate (c * f * bins) 0i32) (+) 0 keys (map (const 1) keys))
  let sizes = map (\per_feature -> i32.sum per_feature[0]) counts
  let prior = map (\s -> f32.log (f32.i32 (s + 1) / f32.i64 (n + c))) sizes
  let loglik = map2 (\pf s -> map (map (\k -> f32.log (f32.i32 (k + 1) / f32.i32 (s + i32.i64 bins)))) pf) counts sizes
  let classify x =
    let scores = map2 (\p tab -> p + f32.sum (map2 (\row v -> row[bin v]) tab x)) prior loglik
    in reduce merge2 (-1e30, -1e30) (map (\s -> (s, -1e30)) scores)
  let (first, second) = unzip (map classify xs)
  in (prior, first, map2 (-) first second, f32.sum first / f32.i64 n)
