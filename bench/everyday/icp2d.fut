-- ICP: rigid 2-D alignment of a point cloud to a model by brute-force nearest neighbours and closed-form rotation.
type v2 = (f32, f32)
def sub (a: v2) (b: v2) : v2 = (a.0 - b.0, a.1 - b.1)
def add (a: v2) (b: v2) : v2 = (a.0 + b.0, a.1 + b.1)
def norm2 (a: v2) : f32 = a.0 * a.0 + a.1 * a.1
def mean [n] (ps: [n]v2) : v2 =
  let (x, y) = reduce add (0, 0) ps in (x / f32.i64 n, y / f32.i64 n)

def nearest [m] (model: [m]v2) (p: v2) : i64 =
  let f (i, a) (j, b) = if b < a || (b == a && j < i) then (j, b) else (i, a)
  in (reduce_comm f (i64.highest, f32.inf) (map2 (\i q -> (i, norm2 (sub p q))) (iota m) model)).0

entry main [m][n] (iters: i32) (mx: [m]f32) (my: [m]f32) (pick: [n]u32) (noise: [n]f32) : (f32, f32, f32, [n]f32) =
  let model = zip mx my
  let cloud = map2 (\k e ->
      let (x, y) = model[i64.u32 k % m]
      let e = (e - 0.5) * 0.02
      in (0.98 * x - 0.199 * y + 0.05 + e, 0.199 * x + 0.98 * y - 0.03 - e)) pick noise
  let step (ps: [n]v2, ang: f32, tr: v2) =
    let qs = map (\p -> model[nearest model p]) ps
    let cp = mean ps
    let cq = mean qs
    let (dot, cross) = reduce add (0, 0) (map2 (\p q ->
      let (a, b) = sub p cp
      let (c, d) = sub q cq
      in (a * c + b * d, a * d - b * c)) ps qs)
    let th = f32.atan2 cross dot
    let rot (x, y) = (f32.cos th * x - f32.sin th * y, f32.sin th * x + f32.cos th * y)
    let t = sub cq (rot cp)
    in (map (\p -> add (rot p) t) ps, ang + th, add (rot tr) t)
  let (ps, ang, tr) = loop s = (cloud, 0, (0, 0)) for _i < iters do step s
  in (ang, tr.0, tr.1, map (\p -> f32.sqrt (norm2 (sub p model[nearest model p]))) ps)
