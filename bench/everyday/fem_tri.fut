-- Linear finite elements for -div(c grad u) = f on a distorted triangulated rectangle: stiffness by element, gather and scatter in each step of conjugate gradients.
type element = {n: (i64, i64, i64), k: [6]f32, area: f32}

-- Two triangles a square; node numbers run along rows of w nodes.
def corners (w: i64) (e: i64) : (i64, i64, i64) =
  let q = e / 2
  let p = (q / (w - 1)) * w + q % (w - 1)
  in if e % 2 == 0 then (p, p + 1, p + w) else (p + 1, p + w + 1, p + w)

def stiffness [n] (xy: [n](f32, f32)) (c: f32) (nodes: (i64, i64, i64)) : element =
  let (i, j, k) = nodes
  let (xi, yi) = xy[i]
  let (xj, yj) = xy[j]
  let (xk, yk) = xy[k]
  let (b0, b1, b2) = (yj - yk, yk - yi, yi - yj)
  let (c0, c1, c2) = (xk - xj, xi - xk, xj - xi)
  let area = 0.5 * (c2 * b1 - c1 * b2)
  let s = c / (4 * area)
  in {n = nodes, area,
      k = [s * (b0 * b0 + c0 * c0), s * (b0 * b1 + c0 * c1), s * (b0 * b2 + c0 * c2),
           s * (b1 * b1 + c1 * c1), s * (b1 * b2 + c1 * c2), s * (b2 * b2 + c2 * c2)]}

def assemble [m] (n: i64) (es: [m]element) (vals: [m](f32, f32, f32)) : [n]f32 =
  let zero = replicate n 0f32
  let a = reduce_by_index zero (+) 0 (map (\e -> e.n.0) es) (map (.0) vals)
  let b = reduce_by_index a (+) 0 (map (\e -> e.n.1) es) (map (.1) vals)
  in reduce_by_index b (+) 0 (map (\e -> e.n.2) es) (map (.2) vals)

def apply [n] [m] (es: [m]element) (free: [n]bool) (u: [n]f32) : [n]f32 =
  let contribution (e: element) =
    let (i, j, k) = e.n
    let (p, q, r) = (u[i], u[j], u[k])
    in (e.k[0] * p + e.k[1] * q + e.k[2] * r,
        e.k[1] * p + e.k[3] * q + e.k[4] * r,
        e.k[2] * p + e.k[4] * q + e.k[5] * r)
  in map2 (\f v -> if f then v else 0) free (assemble n es (map contribution es))

def total [n] (a: [n]f32) : f32 = f32.f64 (f64.sum (map f64.f32 a))
def dot [n] (a: [n]f32) (b: [n]f32) : f32 = total (map2 (*) a b)

entry main [h] [w] (iters: i32) (jitter: [h][w][2]f32) (cond: [h][w]f32) (load: [h][w]f32) =
  let n = h * w
  let m = 2 * (h - 1) * (w - 1)
  let rim y x = y == 0 || x == 0 || y == h - 1 || x == w - 1
  let free = flatten (tabulate_2d h w (\y x -> !(rim y x))) :> [n]bool
  let xy =
    flatten (tabulate_2d h w (\y x ->
      let s = if rim y x then 0 else 0.4
      in (f32.i64 x + s * (jitter[y, x, 0] - 0.5), f32.i64 y + s * (jitter[y, x, 1] - 0.5)))) :> [n](f32, f32)
  let c = flatten cond
  let es =
    tabulate m (\e ->
      let (i, j, k) = corners w e
      in stiffness xy (0.5 + (c[i] + c[j] + c[k]) / 3) (i, j, k))
  let f = flatten load
  let b =
    assemble n es (map (\e ->
      let (i, j, k) = e.n
      let s = e.area / 12
      let t = f[i] + f[j] + f[k]
      in (s * (t + f[i]), s * (t + f[j]), s * (t + f[k]))) es)
    |> map2 (\g v -> if g then v else 0) free
  let (u, r, _, rr) =
    loop (u, r, p, rr) = (replicate n 0, b, b, dot b b) for _i < iters do
      let ap = apply es free p
      let alpha = rr / (dot p ap + 1e-20)
      let u = map2 (\a d -> a + alpha * d) u p
      let r = map2 (\a d -> a - alpha * d) r ap
      let rr' = dot r r
      let beta = rr' / (rr + 1e-20)
      in (u, r, map2 (\a d -> a + beta * d) r p, rr')
  let energy = 0.5 * dot u (map2 (-) b r) - dot b u
  in (unflatten (u :> [h * w]f32), energy, f32.sqrt (rr / dot b b), total (map (.area) es))
