-- Bootstrap particle filter of a nonlinear growth model: propagate, weight, scan, and systematic resampling by binary search.
def mix (x: u64) : u64 =
  let x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
  let x = (x ^ (x >> 27)) * 0x94d049bb133111eb
  in x ^ (x >> 31)

def unit (x: u64) : f64 = f64.u64 (mix x >> 11) / 9007199254740992

-- Sum of four uniforms, about normal with unit variance.
def noise (x: u64) : f64 = 1.7320508 * (unit x + unit (x + 1) + unit (x + 2) + unit (x + 3) - 2)

def main [t] (n: i64) (seed: i32) (obs: [t]f32) : ([t]f64, [t]f64) =
  let n = i64.max 1 n
  let base = u64.i32 seed * 0x9e3779b97f4a7c15
  let key (s: i64) (i: i64) = base + u64.i64 ((s + 1) * n + i) * 8
  let start = tabulate n (\i -> 2 * noise (key (-1) i))
  let (_, means, ess) =
    loop (xs, means, ess) = (start, replicate t 0, replicate t 0) for s < t do
      let xs = map2 (\x i ->
        x / 2 + 25 * x / (1 + x * x) + 8 * f64.cos (1.2 * f64.i64 s) + 3 * noise (key s i)) xs (iota n)
      let ys = f64.f32 obs[s] * 20
      let ws = map (\x -> let e = ys - x * x / 20 in f64.exp (-0.5 * e * e) + 1e-12) xs
      let cum = scan (+) 0 ws
      let total = cum[n - 1]
      let mean = f64.sum (map2 (*) ws xs) / total
      let neff = total * total / f64.sum (map (\w -> w * w) ws)
      let u0 = unit (key s 0 + 4)
      let pick (i: i64) =
        let goal = total * (f64.i64 i + u0) / f64.i64 n
        in (loop (lo, hi) = (0, n - 1) while lo < hi do
              let mid = (lo + hi) / 2
              in if cum[mid] > goal then (lo, mid) else (mid + 1, hi)).0
      in (tabulate n (\i -> xs[pick i]), means with [s] = mean, ess with [s] = neff)
  in (means, ess)
