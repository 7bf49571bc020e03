-- Linear triangles on a distorted grid: element stiffness, assembled action by scatter-add, Jacobi-preconditioned CG.
type pt = (f64, f64)

-- Node k of an (n+1) by (n+1) grid, inner nodes shifted.
def node (n: i64) (jitter: []f64) (k: i64) : pt =
  let (i, j) = (k / (n + 1), k % (n + 1))
  let inner = i > 0 && j > 0 && i < n && j < n
  let d = if inner then 0.4 * (jitter[k] - 0.5) else 0
  in ((f64.i64 j + d) / f64.i64 n, (f64.i64 i - d) / f64.i64 n)

def element (n: i64) (e: i64) : (i64, i64, i64) =
  let (c, half) = (e / 2, e % 2)
  let k = c / n * (n + 1) + c % n
  in if half == 0 then (k, k + 1, k + n + 2) else (k, k + n + 2, k + n + 1)

-- Stiffness of a triangle, the symmetric six entries, and its area.
def stiffness (a: pt) (b: pt) (c: pt) : ([6]f64, f64) =
  let area = 0.5 * ((b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1))
  let g (p: pt) (q: pt) = (p.1 - q.1, q.0 - p.0)
  let (ga, gb, gc) = (g b c, g c a, g a b)
  let dot (u: pt) (v: pt) = (u.0 * v.0 + u.1 * v.1) / (4 * area)
  in ([dot ga ga, dot gb gb, dot gc gc, dot ga gb, dot gb gc, dot gc ga], area)

def apply [m][q] (tri: [m](i64, i64, i64)) (ks: [m][6]f64) (fixed: [q]bool) (x: [q]f64) : [q]f64 =
  let local_product (a, b, c) (k: [6]f64) =
    let (xa, xb, xc) = (x[a], x[b], x[c])
    in ( k[0] * xa + k[3] * xb + k[5] * xc
       , k[3] * xa + k[1] * xb + k[4] * xc
       , k[5] * xa + k[4] * xb + k[2] * xc )
  let (ya, yb, yc) = unzip3 (map2 local_product tri ks)
  let (ia, ib, ic) = unzip3 tri
  let y = reduce_by_index (replicate q 0f64) (+) 0 (ia ++ ib ++ ic) (ya ++ yb ++ yc)
  in map3 (\f yi xi -> if f then xi else yi) fixed y x

entry main [q] (n: i64) (iters: i32) (jitter: [q]f64) (load: [q]f64) : ([q]f64, f64) =
  let tri = map (element n) (iota (2 * n * n))
  let (ks, area) = unzip (map (\(a, b, c) -> stiffness (node n jitter a) (node n jitter b) (node n jitter c)) tri)
  let inside k = let (i, j) = (k / (n + 1), k % (n + 1)) in i > 0 && j > 0 && i < n && j < n
  let fixed = map (\k -> !(inside k)) (iota q)
  let (ia, ib, ic) = unzip3 tri
  let spread v = reduce_by_index (replicate q 0f64) (+) 0 (ia ++ ib ++ ic) v
  let lumped = let t = map (/ 3) area in spread (t ++ t ++ t)
  let diag = spread (map (\k -> k[0]) ks ++ map (\k -> k[1]) ks ++ map (\k -> k[2]) ks)
  let b = map3 (\f m l -> if f then 0 else m * l) fixed lumped load
  let dot u v = f64.sum (map2 (*) u v)
  let prec r = map3 (\f d ri -> if f then ri else ri / d) fixed diag r
  let z0 = prec b
  let (x, r, _, _) =
    loop (x, r, p, rz) = (replicate q 0, b, z0, dot b z0) for _i < iters do
      let ap = apply tri ks fixed p
      let alpha = rz / (dot p ap + 1e-300)
      let x = map2 (\xi pi -> xi + alpha * pi) x p
      let r = map2 (\ri ai -> ri - alpha * ai) r ap
      let z = prec r
      let rz' = dot r z
      let beta = rz' / (rz + 1e-300)
      in (x, r, map2 (\zi pi -> zi + beta * pi) z p, rz')
  in (x, dot r r)
