-- Down-and-out calls by Monte Carlo for several strikes, the chance of crossing between dates by the Brownian bridge.
def splitmix (x: u64) : u64 =
  let z = x + 0x9e3779b97f4a7c15
  let z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
  let z = (z ^ (z >> 27)) * 0x94d049bb133111eb
  in z ^ (z >> 31)

def uniform (x: u64) : f32 = (f32.u64 (splitmix x >> 41) + 0.5) / 8388608

def gauss (seed: u64) (k: u64) : (f32, f32) =
  let u = uniform (seed + 2 * k)
  let v = uniform (seed + 2 * k + 1)
  let r = f32.sqrt (-2 * f32.log u)
  let a = 2 * f32.pi * v
  in (r * f32.cos a, r * f32.sin a)

entry main [k] (paths: i64) (dates: i64) (barrier: f32) (vol: f32) (strikes: [k]f32) : ([k]f32, [k]f32, f32) =
  let dt = 1 / f32.i64 (2 * dates)
  let var = vol * vol * dt
  let lb = f32.log barrier
  let path (i: i64) : (f32, f32) =
    let seed = splitmix (u64.i64 i) 
    let advance (x, alive) z =
      let x' = x + (0.02 - 0.5 * vol * vol) * dt + vol * f32.sqrt dt * z
      let survive = if x' <= lb || x <= lb then 0 else 1 - f32.exp (-2 * (x - lb) * (x' - lb) / var)
      in (x', alive * survive)
    in loop st = (0, 1) for t < dates do
         let (z0, z1) = gauss seed (u64.i64 t)
         in advance (advance st z0) z1
  let ends = map path (iota paths)
  let payoff (strike: f32) ((x, w): (f32, f32)) = w * f32.max 0 (f32.exp x - strike)
  let price s =
    let ps = map (\e -> f64.f32 (payoff (0.7 + 0.5 * s) e)) ends
    let mean = f64.sum ps / f64.i64 paths
    let sq = f64.sum (map (\p -> p * p) ps) / f64.i64 paths
    in (f32.f64 mean, f32.f64 (f64.sqrt ((sq - mean * mean) / f64.i64 paths)))
  let (means, errs) = unzip (map price strikes)
  in (means, errs, f32.f64 (f64.sum (map (\(_, w) -> f64.f32 w) ends) / f64.i64 paths))
