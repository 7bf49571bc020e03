-- Bicubic patches tessellated: points and normals (not normed) by de Casteljau's steps.
type vec = {x: f32, y: f32, z: f32}
def lerp (t: f32) (a: vec) (b: vec) : vec =
  {x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y), z = a.z + t * (b.z - a.z)}
def minus (a: vec) (b: vec) : vec = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
def cross (a: vec) (b: vec) : vec = {x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x}

-- Point and tangent of a cubic.
def cubic (t: f32) (p: vec) (q: vec) (r: vec) (s: vec) : (vec, vec) =
  let (a, b, c) = (lerp t p q, lerp t q r, lerp t r s)
  let (d, e) = (lerp t a b, lerp t b c)
  in (lerp t d e, minus e d)

entry main [p] (res: i64) (ctl: [p][4][4][3]f32) : ([p][res][res][3]f32, [p][res][res][3]f32, [p]f32) =
  let v (c: [3]f32) : vec = {x = c[0], y = c[1], z = c[2]}
  let arr (a: vec) = [a.x, a.y, a.z]
  let param i = (f32.i64 i + 0.5) / f32.i64 res
  let at (c: [4][4][3]f32) i j =
    let (u, w) = (param i, param j)
    let row k = cubic u (v c[k, 0]) (v c[k, 1]) (v c[k, 2]) (v c[k, 3])
    let ((p0, t0), (p1, t1), (p2, t2), (p3, t3)) = (row 0, row 1, row 2, row 3)
    let (pt, dw) = cubic w p0 p1 p2 p3
    let (du, _) = cubic w t0 t1 t2 t3
    in (pt, cross du dw)
  let both = map (\c -> tabulate_2d res res (at c)) ctl
  let area g = f32.sum (map (\(_, n: vec) -> f32.sqrt (n.x * n.x + n.y * n.y + n.z * n.z)) (flatten g))
  in (map (map (map (\(a, _) -> arr a))) both, map (map (map (\(_, b) -> arr b))) both,
      map (\g -> 9 * area g / f32.i64 (res * res)) both)
