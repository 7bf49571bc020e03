-- Many small systems (M'M/n + I) x = b by conjugate gradients with Jacobi's preconditioner, the matrix never formed.
def dot [n] (a: [n]f32) (b: [n]f32) = reduce (+) 0 (map2 (*) a b)

def apply [n] (m: [n][n]f32) (x: [n]f32) : [n]f32 =
  let y = map (dot x) m
  let z = map (dot y) (transpose m)
  in map2 (\a b -> a / f32.i64 n + b) z x

def pcg [n] (iters: i64) (m: [n][n]f32) (b: [n]f32) =
  let diag = map (\c -> 1 + dot c c / f32.i64 n) (transpose m)
  let precond r = map2 (/) r diag
  let z0 = precond b
  let (x, r, _, _) =
    loop (x, r, p, rz) = (replicate n 0, b, z0, dot b z0) for _i < iters do
      let ap = apply m p
      let alpha = rz / (dot p ap + 1e-20)
      let x = map2 (\x p -> x + alpha * p) x p
      let r = map2 (\r q -> r - alpha * q) r ap
      let z = precond r
      let rz' = dot r z
      let beta = rz' / (rz + 1e-20)
      in (x, r, map2 (\z p -> z + beta * p) z p, rz')
  in (x, f32.sqrt (dot r r) < 0.5 * f32.sqrt (dot b b))

entry main [k] [n] (iters: i64) (ms: [k][n][n]f32) (bs: [k][n]f32) : ([k][n]f32, i64) =
  let (xs, oks) = unzip (map2 (pcg iters) (map (map (map (\a -> a - 0.5))) ms) (map (map (+ 0.1)) bs))
  in (xs, i64.sum (map i64.bool oks))
