-- A cliquet option by Monte Carlo: monthly returns capped and floored, antithetic paths, mean and standard error.
module rng = {
  type t = u64
  def seed (s: i64) : t = u64.i64 s * 0x9e3779b97f4a7c15 + 0x1234567
  def next (s: t) : (t, f64) =
    let s = s + 0x9e3779b97f4a7c15
    let z = (s ^ (s >> 30)) * 0xbf58476d1ce4e5b9
    let z = (z ^ (z >> 27)) * 0x94d049bb133111eb
    let z = z ^ (z >> 31)
    in (s, (f64.u64 (z >> 12) + 0.5) / 4503599627370496)
}

def gauss (s: rng.t) : (rng.t, f64) =
  let (s, u) = rng.next s
  let (s, v) = rng.next s
  in (s, f64.sqrt (-2 * f64.log u) * f64.cos (2 * f64.pi * v))

entry main [k] (paths: i64) (vols: [k]f64) (floor: f64) (cap: f64) : (f64, f64) =
  let r = 0.02
  let dt = 1 / 12f64
  let clip x = f64.max floor (f64.min cap x)
  let path (i: i64) : f64 =
    let (_, a, b) =
      loop (s, a, b) = (rng.seed i, 0, 0) for v in vols do
        let sigma = 0.1 + 0.2 * v
        let (s, z) = gauss s
        let drift = (r - 0.5 * sigma * sigma) * dt
        let w = sigma * f64.sqrt dt * z
        in (s, a + clip (f64.exp (drift + w) - 1), b + clip (f64.exp (drift - w) - 1))
    in 0.5 * (f64.max 0 a + f64.max 0 b)
  let pay = map path (iota paths)
  let n = f64.i64 paths
  let mean = f64.sum pay / n
  let var = f64.sum (map (\p -> (p - mean) ** 2) pay) / (n - 1)
  let disc = f64.exp (-r * dt * f64.i64 k)
  in (disc * mean, disc * f64.sqrt (var / n))
