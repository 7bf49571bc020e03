-- Chebyshev's iteration for a band matrix stored by its diagonals.
type band [k][n] = {off: [k]i64, dia: [k][n]f64}

def apply [k][n] (a: band [k][n]) (x: [n]f64) : [n]f64 =
  tabulate n (\i ->
    loop acc = 0 for d < k do
      let j = i + a.off[d]
      in if j >= 0 && j < n then acc + a.dia[d, i] * x[j] else acc)

entry main [k][n] (steps: i64) (half: i64) (coef: [k][n]f64) (b: [n]f64) : (f64, [n]f64) =
  -- symmetric: one diagonal on either side at odd distances; strictly dominant
  let off = map (\d -> if d < half then (d + 1) * (d + 1) else if d < 2 * half then -(d - half + 1) * (d - half + 1) else 0) (iota k)
  let at d i = if d == 2 * half then 2
               else let o = off[d]
                    let j = i64.min i (i + o)
                    in -coef[d % half, i64.max 0 j] / f64.i64 half
  let a : band [k][n] = {off, dia = tabulate_2d k n at}
  let (lo, hi) = (0.01, 4)
  let (theta, delta) = ((hi + lo) / 2, (hi - lo) / 2)
  let sigma = theta / delta
  let r0 = b
  let d0 = map (/ theta) r0
  let (x, r, _, _) =
    loop (x, r, d, rho) = (replicate n 0, r0, d0, 1 / sigma) for _i < steps do
      let x = map2 (+) x d
      let r = map2 (-) r (apply a d)
      let rho' = 1 / (2 * sigma - rho)
      in (x, r, map2 (\p q -> rho' * rho * p + 2 * rho' / delta * q) d r, rho')
  in (f64.sqrt (f64.sum (map (\v -> v * v) r)), x)
