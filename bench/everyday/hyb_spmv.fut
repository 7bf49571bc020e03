-- Sparse matrix in hybrid format (ELL for the first entries of each row, stored by columns, COO for the overflow): damped Jacobi sweeps with residual norms.
def index (n: i64) (r: i32) : i64 = i64.i32 (r & 0x7fffffff) % n

def ell_multiply [w] [n] (cols: [w][n]i64) (vals: [w][n]f32) (x: [n]f32) : *[n]f32 =
  tabulate n (\i ->
    loop s = 0 for k < w do
      let c = cols[k, i]
      in if c < 0 then s else s + vals[k, i] * x[c])

def coo_multiply [n] [m] (rows: [m]i64) (cols: [m]i64) (vals: [m]f32) (x: [n]f32) (y: *[n]f32) : *[n]f32 =
  reduce_by_index y (+) 0 rows (map2 (\c v -> v * x[c]) cols vals)

entry main [w] [n] [m] (sweeps: i64) (ec: [w][n]i32) (ev: [w][n]f32) (tr: [m]i32) (tc: [m]i32) (tv: [m]f32) (b: [n]f32)
    : ([n]f32, [sweeps]f32) =
  -- about one slot in four is padding
  let cols = map (map (\r -> if r & 3 == 0 then -1 else index n (r >> 2))) ec
  let rows' = map (index n) tr
  let cols' = map (index n) tc
  -- a dominant diagonal: row sums of magnitudes plus one
  let ones = replicate n 1f32
  let off = coo_multiply rows' cols' tv ones (ell_multiply cols ev ones)
  let diag = map (+ 1) off
  in loop (x, norms) = (map2 (/) b diag, replicate sweeps 0)
     for s < sweeps do
       let ax = coo_multiply rows' cols' tv x (ell_multiply cols ev x)
       let r = map4 (\b d x y -> b - d * x + y) b diag x ax
       let x' = map3 (\x r d -> x + 0.9 * r / d) x r diag
       in (x', norms with [s] = f32.f64 (f64.sqrt (f64.sum (map (\v -> f64.f32 (v * v)) r) / f64.i64 n)))
