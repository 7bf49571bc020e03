-- One-dimensional particle-in-cell plasma: linear deposition, the field from a scan of the charge, gather and push.
def frac (x: f32) = x - f32.floor x

def weights (g: i64) (x: f32) : (i64, i64, f32) =
  let s = x * f32.i64 g
  let i = i64.min (g - 1) (i64.f32 s)
  in (i, (i + 1) % g, s - f32.i64 i)

def deposit [n] (g: i64) (xs: [n]f32) : [g]f64 =
  let (is, js, ws) = unzip3 (map (weights g) xs)
  let q = f64.i64 g / f64.i64 n
  let rho = reduce_by_index (replicate g 0) (+) 0 is (map (\w -> q * f64.f32 (1 - w)) ws)
  in reduce_by_index rho (+) 0 js (map (\w -> q * f64.f32 w) ws)

def field [g] (rho: [g]f64) : [g]f32 =
  let dx = 1 / f64.i64 g
  let e = scan (+) 0 (map (\r -> (r - 1) * dx) rho)
  let avg = f64.sum e / f64.i64 g
  in map (\x -> f32.f64 (x - avg)) e

entry main [n] (g: i64) (steps: i64) (dt: f32) (x0: [n]f32) (v0: [n]f32) : ([n]f32, [n]f32, [g]f32, [steps]f32) =
  let start = map (\x -> frac (x + 0.05 * f32.sin (2 * f32.pi * x) + 1)) x0
  let speed = map (\v -> 0.2 * (v - 0.5)) v0
  let (x, v, e, energies) =
    loop (x, v, _, energies) = (start, speed, replicate g 0, replicate steps 0) for t < steps do
      let e = field (deposit g x)
      let v = map2 (\x v -> let (i, j, w) = weights g x
                            in v + dt * ((1 - w) * e[i] + w * e[j])) x v
      let x = map2 (\x v -> frac (x + dt * v)) x v
      let energies[t] = reduce (+) 0 (map (\a -> a * a) e) / f32.i64 g
      in (x, v, e, energies)
  -- positions just below one and just above zero are the same place
  in (map (\x -> f32.cos (2 * f32.pi * x)) x, v, e, energies)
