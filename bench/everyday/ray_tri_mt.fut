-- Exact Moeller-Trumbore ray/triangle tests on integer coordinates: nearest hit and barycentric shading of a triangle soup.
module vec = {
  type t = {x: i64, y: i64, z: i64}
  def mk x y z : t = {x, y, z}
  def sub (a: t) (b: t) = mk (a.x - b.x) (a.y - b.y) (a.z - b.z)
  def dot (a: t) (b: t) = a.x * b.x + a.y * b.y + a.z * b.z
  def cross (a: t) (b: t) = mk (a.y * b.z - a.z * b.y) (a.z * b.x - a.x * b.z) (a.x * b.y - a.y * b.x)
}
type tri = {a: vec.t, e1: vec.t, e2: vec.t}
type hit = {t: f64, u: f64, v: f64, id: i32}

def test (o: vec.t) (d: vec.t) (best: hit) (id: i32) (f: tri) : hit =
  let p = vec.cross d f.e2
  let det = vec.dot f.e1 p
  let s = vec.sub o f.a
  let sg = i64.sgn det
  let u = sg * vec.dot s p
  in if det == 0 || u < 0 || u > sg * det then best
     else let q = vec.cross s f.e1
          let v = sg * vec.dot d q
          let t = f64.i64 (sg * vec.dot f.e2 q) / f64.i64 (sg * det)
          in if v < 0 || u + v > sg * det || t <= 0 || t >= best.t then best
             else {t, u = f64.i64 u / f64.i64 (sg * det), v = f64.i64 v / f64.i64 (sg * det), id}

entry main [k] (h: i64) (w: i64) (soup: [k][9]i8) : ([h][w]f32, [k]i32) =
  let fs = map (\(r: [9]i8) : tri ->
      let r = map i64.i8 r
      let a = vec.mk (4 * r[0]) (4 * r[1]) (700 + 4 * r[2])
      in {a, e1 = vec.mk r[3] r[4] r[5], e2 = vec.mk r[6] r[7] r[8]}) soup
  let o = vec.mk 0 0 0
  let img = tabulate_2d h w (\y x ->
      let d = vec.mk ((2 * x + 1) * 1024 / w - 1024) ((2 * y + 1) * 1024 / h - 1024) 1500
      let far : hit = {t = f64.inf, u = 0, v = 0, id = -1}
      in loop b = far for i < k do test o d b (i32.i64 i) fs[i])
  let ids = map (\(p: hit) -> i64.i32 p.id) (flatten img)
  let seen = reduce_by_index (replicate k 0i32) (+) 0 ids (map (const 1) ids)
  let shade (b: hit) : f32 =
    if b.id < 0 then 0
    else let c = vec.cross fs[b.id].e1 fs[b.id].e2
         in f32.f64 (f64.abs (f64.i64 c.z) / f64.sqrt (f64.i64 (vec.dot c c)) * (0.5 + 0.5 * b.u) * (1 - 0.3 * b.v) / (1 + b.t))
  in (map (map shade) img, seen)
