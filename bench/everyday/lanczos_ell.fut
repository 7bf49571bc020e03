-- Lanczos tridiagonalisation (full reorthogonalisation) of a symmetric sparse matrix, and its largest Ritz value by bisection.
def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

def main [n] [k] (steps: i64) (offs: [k]u16) (w: [k][n]f64) (seed: [n]f64) : ([]f64, []f64, f64) =
  let steps = i64.min steps n
  let hop = map (\o -> 1 + i64.u16 o % i64.max 1 (n - 1)) offs
  -- symmetric: the edge (i, i + hop) has weight w[d][i] both ways
  let apply (x: [n]f64) : [n]f64 =
    tabulate n (\i ->
                  loop s = 2 * x[i] for d < k do
                    let j = (i + hop[d]) % n
                    let l = (i - hop[d]) % n
                    in s - w[d, i] * x[j] - w[d, l] * x[l])
  let unit x = let l = f64.sqrt (dot x x) in map (/ l) x
  let basis0 = replicate steps (replicate n 0) with [0] = unit (map (+ 0.1) seed)
  let (_, alpha, beta) =
    loop (basis, alpha, beta) = (basis0, replicate steps 0, replicate steps 0) for j < steps do
      let v = copy basis[j]
      let z = apply v
      let a = dot v z
      let coef = map (dot z) basis
      let z1 = map2 (\zi col -> zi - dot coef col) z (transpose basis)
      let coef = map (dot z1) basis
      let z2 = map2 (\zi col -> zi - dot coef col) z1 (transpose basis)
      let b = f64.sqrt (dot z2 z2)
      let basis = if j + 1 < steps && b > 1e-10 then basis with [j + 1] = map (/ b) z2 else basis
      in (basis, alpha with [j] = a, beta with [j] = if b > 1e-10 then b else 0)
  let below x =
    (loop (c, q) = (0i64, 1) for i < steps do
       let b = if i == 0 then 0 else beta[i - 1]
       let q = alpha[i] - x - b * b / (if f64.abs q < 1e-300 then 1e-300 else q)
       in (c + i64.bool (q < 0), q)).0
  let (lo, _) =
    loop (lo, hi) = (-100, 100) for _i < 60 do
      let mid = (lo + hi) / 2
      in if below mid < steps then (mid, hi) else (lo, mid)
  in (take 5 (alpha ++ replicate 5 0), take 5 (beta ++ replicate 5 0), lo)
