-- LIBOR market model: payer swaption prices for some strikes by Monte Carlo on the forward rates (predictor-corrector, spot measure).
def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def normal (path: u32) (step: u32) : f32 =
  let u k = (f32.u32 (mix (path * 0x9e3779b9 + mix (step * 2 + k)) >> 8) + 0.5) / 16777216
  in f32.sqrt (-2 * f32.log (u 0)) * f32.cos (2 * f32.pi * u 1)

def main [s] (paths: i64) (curve: [12]f32) (vols: [12]f32) (strikes: [s]f32) : ([s]f32, [s]f32) =
  let tau = 0.5f32
  let steps = 4i64
  let dt = tau / f32.i64 steps
  let start = map (\c -> 0.02 + 0.03 * c) curve
  let sig = map (\v -> 0.1 + 0.2 * v) vols
  let drift (l: [12]f32) : [12]f32 =
    (loop (out, acc) = (replicate 12 0, 0) for i < 12 do
       let acc = acc + tau * l[i] * sig[i] / (1 + tau * l[i])
       in (out with [i] = sig[i] * acc - 0.5 * sig[i] * sig[i], acc)).0
  let path (p: i64) : [s]f32 =
    let l =
      loop l = copy start for t < steps do
        let z = normal (u32.i64 p) (u32.i64 t)
        let mu0 = drift l
        let guess = map3 (\x m v -> x * f32.exp (m * dt + v * f32.sqrt dt * z)) l mu0 sig
        let mu1 = drift guess
        in tabulate 12 (\i -> l[i] * f32.exp (0.5 * (mu0[i] + mu1[i]) * dt + sig[i] * f32.sqrt dt * z))
    let (annuity, bond) =
      loop (a, b) = (0, 1) for i < 12 do
        let b = b / (1 + tau * l[i])
        in (a + tau * b, b)
    let swap = (1 - bond) / annuity
    in map (\k -> f32.max 0 (swap - (0.02 + 0.04 * k)) * annuity / (1 + tau * start[0])) strikes
  let n = f64.i64 paths
  let sums =
    reduce (\a b -> map2 (\(x, y) (u, v) -> (x + u, y + v)) a b) (replicate s (0, 0))
           (tabulate paths (\p -> map (\v -> (f64.f32 v, f64.f32 (v * v))) (path p)))
  in (map (\(m, _) -> f32.f64 (m / n)) sums,
      map (\(m, q) -> f32.f64 (f64.sqrt (f64.max 0 (q / n - m / n * (m / n)) / n))) sums)
