-- Losses of a credit portfolio: the recursion over names, conditional on a common factor, and two tranches.
def clamp (lo: f64) (hi: f64) (x: f64) = f64.max lo (f64.min hi x)

-- Probability of default given the factor, with a logistic in place of the normal.
def conditional (rho: f64) (z: f64) (p: f64) : f64 =
  let c = f64.log (p / (1 - p))
  let a = (c - 1.7 * f64.sqrt rho * z) / f64.sqrt (1 - rho)
  in 1 / (1 + f64.exp (-a))

def tranche (names: i64) (lo: f64) (hi: f64) (k: i64) : f64 =
  let loss = 0.6 * f64.i64 k / f64.i64 names
  in clamp 0 (hi - lo) (loss - lo) / (hi - lo)

entry main [n] (nodes: i64) (rho: f64) (spread: [n]f32) : ([]f64, f64, f64) =
  let pd = map (\s -> 0.005 + 0.05 * f64.f32 s) spread
  let grid = map (\i -> -5 + 10 * (f64.i64 i + 0.5) / f64.i64 nodes) (iota nodes)
  let weight z = f64.exp (-0.5 * z * z)
  let given z =
    let ps = map (conditional rho z) pd
    let d0 = map (\k -> f64.bool (k == 0)) (iota (n + 1))
    let d = loop d = d0 for p in ps do
      map (\k -> (1 - p) * d[k] + (if k > 0 then p * d[k - 1] else 0)) (iota (n + 1))
    in map (* weight z) d
  let total = f64.sum (map weight grid)
  let dist = reduce (map2 (+)) (replicate (n + 1) 0) (map given grid) |> map (/ total)
  let expect lo hi = f64.sum (map2 (\k q -> q * tranche n lo hi k) (iota (n + 1)) dist)
  in (dist, expect 0 0.03, expect 0.03 0.07)
