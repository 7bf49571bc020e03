-- Restarted GMRES on a CSR matrix of random off-diagonals and a strong diagonal: Arnoldi, Givens rotations, back substitution.
module vec = {
  def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
  def norm [n] (a: [n]f64) : f64 = f64.sqrt (dot a a)
  def axpy [n] (s: f64) (x: [n]f64) (y: [n]f64) : [n]f64 = map2 (\a b -> s * a + b) x y
}

type csr [n][z] = {start: [n]i64, len: [n]i64, col: [z]i64, values: [z]f64, diag: [n]f64}

def spmv [n][z] (a: csr [n][z]) (x: [n]f64) : [n]f64 =
  map4 (\s l d xi -> loop acc = d * xi for k < l do acc + a.values[s + k] * x[a.col[s + k]]) a.start a.len a.diag x

def rotation (a: f64) (b: f64) : (f64, f64) =
  let r = f64.sqrt (a * a + b * b) + 1e-300
  in (a / r, b / r)

-- One cycle of m Arnoldi steps from x.
def cycle [n][z] (m: i64) (a: csr [n][z]) (b: [n]f64) (x: [n]f64) : ([n]f64, f64) =
  let r = map2 (-) b (spmv a x)
  let beta = vec.norm r + 1e-300
  let basis = replicate (m + 1) (replicate n 0f64)
  let basis = basis with [0] = map (/ beta) r
  let h = replicate (m + 1) (replicate m 0f64)
  let g = replicate (m + 1) 0f64 with [0] = beta
  let rot = replicate m (1f64, 0f64)
  let (basis, h, g, _) =
    loop (basis, h, g, rot) for j < m do
      let w = spmv a basis[j]
      let coeffs = map2 (\i q -> if i <= j then vec.dot q w else 0) (iota (m + 1)) basis
      let w = map2 (\wi col -> wi - f64.sum (map2 (*) coeffs col)) w (transpose basis)
      let nw = vec.norm w
      let basis = basis with [j + 1] = map (/ (nw + 1e-300)) w
      let c = copy coeffs with [j + 1] = nw
      let c = loop c for i < j do
                let (cs, sn) = rot[i]
                let (u, v) = (c[i], c[i + 1])
                let c = c with [i] = cs * u + sn * v
                in c with [i + 1] = cs * v - sn * u
      let (cs, sn) = rotation c[j] c[j + 1]
      let cj = cs * c[j] + sn * c[j + 1]
      let c = c with [j] = cj
      let c = c with [j + 1] = 0
      let gj = g[j]
      let g = g with [j] = cs * gj
      let g = g with [j + 1] = -sn * gj
      let h = h with [:, j] = c
      in (basis, h, g, rot with [j] = (cs, sn))
  let y = loop y = replicate m 0f64 for k < m do
            let i = m - 1 - k
            let s = f64.sum (map2 (\p q -> if p > i then h[i, p] * q else 0) (iota m) y)
            in y with [i] = (g[i] - s) / h[i, i]
  let dx = map (\col -> f64.sum (map2 (*) y col[:m])) (transpose basis)
  in (map2 (+) x dx, f64.abs g[m])

entry main [n][z] (m: i64) (restarts: i64) (len: [n]u8) (col: [z]i32) (entries: [z]f64) (b: [n]f64) : ([n]f64, f64, f64) =
  let want = map (\l -> i64.u8 l % 8 + 1) len
  let ends = scan (+) 0 want
  let start = map2 (-) ends want
  let len' = map2 (\s w -> i64.max 0 (i64.min w (z - s))) start want
  let a = {start, len = len', col = map (\c -> i64.i32 (c & 0x7fffffff) % n) col, values = map (\v -> v - 0.5) entries,
           diag = map (\l -> 0.8 + 0.25 * f64.i64 l) len'}
  let (x, est) = loop (x, _) = (replicate n 0, 0) for _r < restarts do cycle m a b x
  in (x, est, vec.norm (map2 (-) b (spmv a x)) / vec.norm b)
