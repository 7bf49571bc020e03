-- Lanczos tridiagonalisation of a dense symmetric matrix with full reorthogonalisation.
def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

entry main [n] (m: i64) (a: [n][n]f64) : ([m]f64, [m]f64) =
  let s = tabulate_2d n n (\i j -> a[i, j] + a[j, i] - 1 + (if i == j then f64.i64 (i % 7) else 0))
  let q0 = replicate n (1 / f64.sqrt (f64.i64 n))
  let (_, alpha, beta) =
    loop (q, alpha, beta) = (replicate m (replicate n 0) with [0] = q0, replicate m 0, replicate m 0) for k < m do
      let w = map (dot q[k]) s
      let al = dot q[k] w
      let orth (w: [n]f64) : [n]f64 =
        let c = map (dot w) q
        in map2 (\wi col -> wi - dot c col) w (transpose q)
      let w = orth (orth w)
      let be = f64.sqrt (dot w w)
      let q' = if k + 1 < m then copy q with [k + 1] = map (/ be) w else q
      in (q', copy alpha with [k] = al, copy beta with [k] = be)
  in (alpha, beta)
