-- Build CSR and CSC from unsorted triplets by counting sort (2-bit radix) and scans, then one step of A^T (A x).
def radix_pass [n] (b: u32) (ks: [n]u32) (is: [n]i32) : ([n]u32, [n]i32) =
  let digit = map (\k -> i64.u32 ((k >> b) & 3)) ks
  let onehot = map (\d -> (i32.bool (d == 0), i32.bool (d == 1), i32.bool (d == 2), i32.bool (d == 3))) digit
  let add (a, b, c, d) (e, f, g, h) = (a + e, b + f, c + g, d + h) : (i32, i32, i32, i32)
  let sc = scan add (0, 0, 0, 0) onehot
  let (t0, t1, t2, _) = if n == 0 then (0, 0, 0, 0) else sc[n - 1]
  let pos = map2 (\d (a, b, c, e) ->
      i64.i32 (if d == 0 then a - 1 else if d == 1 then t0 + b - 1
               else if d == 2 then t0 + t1 + c - 1 else t0 + t1 + t2 + e - 1)) digit sc
  in (scatter (replicate n 0) pos ks, scatter (replicate n 0) pos is)

def order [n] (bits: i64) (ks: [n]u32) : [n]i32 =
  (loop (k, i) = (ks, map i32.i64 (iota n)) for p < (bits + 1) / 2 do radix_pass (u32.i64 p * 2) k i).1

def offsets [n] (rows: i64) (ks: [n]u32) : [rows + 1]i64 =
  let c = hist (+) 0 rows (map i64.u32 ks) (replicate n 1i64)
  in [0] ++ scan (+) 0 c :> [rows + 1]i64

def spmv [r][n][c] (off: [r + 1]i64) (ix: [n]u32) (vs: [n]f32) (x: [c]f32) : [r]f32 =
  tabulate r (\i -> loop s = 0 for j in off[i]..<off[i + 1] do s + vs[j] * x[i64.u32 ix[j]])

entry main [n][c] (rows: i64) (ri: [n]u32) (ci: [n]u32) (vs: [n]f32) (x: [c]f32) : ([rows]f32, [c]f32) =
  let r = map (% u32.i64 rows) ri
  let k = map (% u32.i64 c) ci
  let bits m = i64.i32 (64 - i64.clz (m - 1))
  let pr = order (bits rows) r
  let pc = order (bits c) k
  let y = spmv (offsets rows r) (map (\i -> k[i]) pr) (map (\i -> vs[i]) pr) x
  let z = spmv (offsets c k) (map (\i -> r[i]) pc) (map (\i -> vs[i]) pc) y
  let nz = f32.max 1e-9 (f32.sqrt (f32.sum (map (\a -> a * a) z)))
  in (y, map (/ nz) z)
