-- Exact stochastic simulation (Gillespie) of a gene switch with mRNA and protein, one trajectory per thread, moments over all.
def next (s: u64) : u64 = s * 6364136223846793005 + 1442695040888963407

def run (steps: i32) (seed: u32) : (i32, i32, f32) =
  let s0 = next (u64.u32 seed ^ 0x5851f42d)
  let (_, _, m, p, t) =
    loop (s, on, m, p, t) = (s0, true, 0i32, 0i32, 0f32) for _i < steps do
      let flip = if on then 10 else 25
      let make = if on then 2000 else 50
      let rates = flip + make + 100 * m + 400 * m + 10 * p
      let s1 = next s
      let s2 = next s1
      let dt = -f32.log ((f32.u64 (s1 >> 41) + 0.5) / 8388608) * 100 / f32.i32 rates
      let u = i32.u64 ((s2 >> 32) * u64.i32 rates >> 32)
      let t = t + dt
      in if u < flip then (s2, !on, m, p, t)
         else if u < flip + make then (s2, on, m + 1, p, t)
         else if u < flip + make + 100 * m then (s2, on, m - 1, p, t)
         else if u < flip + make + 500 * m then (s2, on, m, p + 1, t)
         else (s2, on, m, p - 1, t)
  in (m, p, t)

def main [n] (steps: i32) (seeds: [n]u32) : ([n]i32, [n]f32, f64, f64, [64]i32) =
  let (ms, ps, ts) = unzip3 (map (run steps) seeds)
  let mean = f64.i64 (i64.sum (map i64.i32 ps)) / f64.i64 (i64.max 1 n)
  let var = f64.sum (map (\p -> (f64.i32 p - mean) ** 2) ps) / f64.i64 (i64.max 1 n)
  in (ps, ts, mean, var, hist (+) 0 64 (map (\m -> i64.i32 (i32.min m 63)) ms) (replicate n 1))
