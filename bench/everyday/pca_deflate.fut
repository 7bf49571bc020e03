-- Leading principal components by power iteration, deflated against those found before.
def dot [n] (a: [n]f32) (b: [n]f32) : f32 = f32.sum (map2 (*) a b)
def scale [n] (s: f32) (a: [n]f32) : [n]f32 = map (* s) a
def normalise [n] (a: [n]f32) : [n]f32 = scale (1 / f32.sqrt (dot a a + 1e-20)) a
def matvec [n] [m] (a: [n][m]f32) (x: [m]f32) : [n]f32 = map (dot x) a

def project_out [k] [d] (upto: i64) (basis: [k][d]f32) (v: [d]f32) : [d]f32 =
  loop v for j < upto do
    let s = dot basis[j] v
    in map2 (\v b -> v - s * b) v basis[j]

entry main [n] [d] (k: i64) (iters: i64) (x: [n][d]f32) : ([k][d]f32, [k]f32, f32) =
  let weight j = 1 + 6 / f32.i64 (1 + j)
  let mean = map (\c -> f32.sum c / f32.i64 n) (transpose x)
  let z = map (\row -> map3 (\j a m -> weight j * (a - m)) (iota d) row mean) x
  let zt = transpose z
  let cov v = scale (1 / f32.i64 n) (map (\col -> dot col (matvec z v)) zt)
  let total = f32.sum (map (\col -> dot col col / f32.i64 n) zt)
  let (vs, ls) =
    loop (vs, ls) = (replicate k (replicate d 0), replicate k 0) for c < k do
      let start = normalise (project_out c vs (tabulate d (\j -> f32.cos (f32.i64 ((c + 2) * j)))))
      let (v, l) =
        loop (v, _) = (start, 0) for _i < iters do
          let w = project_out c vs (cov v)
          in (normalise w, dot v w)
      in (copy vs with [c] = v, ls with [c] = l)
  in (vs, ls, f32.sum ls / total)
