-- Mean, spread, skewness and kurtosis of irregular segments: segmented scan with Pebay's merge of four moments in f64.
type mom = {n: f64, m: f64, s2: f64, s3: f64, s4: f64}
def none : mom = {n = 0, m = 0, s2 = 0, s3 = 0, s4 = 0}

def merge (a: mom) (b: mom) : mom =
  if b.n == 0 then a else if a.n == 0 then b else
  let n = a.n + b.n
  let d = b.m - a.m
  let dn = d / n
  let p = a.n * b.n
  in {n,
      m = a.m + dn * b.n,
      s2 = a.s2 + b.s2 + d * dn * p,
      s3 = a.s3 + b.s3 + d * dn * dn * p * (a.n - b.n) + 3 * dn * (a.n * b.s2 - b.n * a.s2),
      s4 = a.s4 + b.s4 + d * dn * dn * dn * p * (a.n * a.n - p + b.n * b.n)
           + 6 * dn * dn * (a.n * a.n * b.s2 + b.n * b.n * a.s2) + 4 * dn * (a.n * b.s3 - b.n * a.s3)}

def main [n] (mean_len: i64) (xs: [n]f32) (marks: [n]u16) =
  let every = u16.i64 (i64.max 1 (i64.min 60000 mean_len))
  let head = map2 (\i k -> i == 0 || k % every == 0) (iota n) marks
  let one x : mom = none with n = 1 with m = f64.f32 x
  let op (f, a) (g, b) = (f || g, if g then b else merge a b)
  let pre = map (.1) (scan op (false, none) (zip head (map (\x -> one (x * x)) xs)))
  let ends = map (.0) (filter (\(i, _) -> i + 1 == n || head[i + 1]) (zip (iota n) head))
  let segs = map (\i -> pre[i]) ends
  let stats = map (\g ->
    let v = g.s2 / g.n
    let sd = f64.sqrt (v + 1e-12)
    in (g.m, sd, g.s3 / (g.n * sd * sd * sd), g.s4 / (g.n * sd * sd * sd * sd) - 3)) segs
  let all = reduce merge none segs
  -- standardise each value by the running moments of its segment so far
  let zs = map2 (\x g -> f32.f64 ((f64.f32 (x * x) - g.m) / f64.sqrt (g.s2 / g.n + 1e-6))) xs pre
  let (mu, sd, skew, kurt) = unzip4 stats
  in (mu, sd, skew, kurt, all.m, all.s2, all.s4, zs)
