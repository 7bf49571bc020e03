-- Matrix profile of a series: for each window its least z-normalised distance to another that does not overlap, and the motif's.
def sums [n] (m: i64) (xs: [n]f64) (i: i64) : (f64, f64) =
  let w = xs[i:i + m]
  in (f64.sum w / f64.i64 m, f64.sum (map (\x -> x * x) w) / f64.i64 m)

entry main [n] (m: i64) (xs: [n]f64) : ([]f64, f64, f64) =
  let k = n - m + 1
  let stats = map (\i -> let (mu, sq) = sums m xs i in (mu, f64.sqrt (sq - mu * mu))) (iota k)
  let (mus, sds) = unzip stats
  let corr i j =
    let dot = loop s = 0 for t < m do s + xs[i + t] * xs[j + t]
    in (dot / f64.i64 m - mus[i] * mus[j]) / (sds[i] * sds[j])
  let best i =
    let c = reduce_comm f64.max (-1)
              (map (\j -> if i64.abs (i - j) < m then -1 else corr i j) (iota k))
    in f64.sqrt (2 * f64.i64 m * (1 - c))
  let profile = map best (iota k)
  in (profile, f64.minimum profile, f64.maximum profile)
