-- Charged particles in gridded E and B fields: trilinear gather of six components and several Boris rotations, periodic box.
type v3 = (f32, f32, f32)
def add (a: v3) (b: v3) : v3 = (a.0 + b.0, a.1 + b.1, a.2 + b.2)
def scale (k: f32) (a: v3) : v3 = (k * a.0, k * a.1, k * a.2)
def cross (a: v3) (b: v3) : v3 = (a.1 * b.2 - a.2 * b.1, a.2 * b.0 - a.0 * b.2, a.0 * b.1 - a.1 * b.0)

def main [n][p] (steps: i32) (dt: f32) (field: [n][n][n][6]f32) (pos: [p][3]f32) (vel: [p][3]f32)
  : ([p][3]f32, [p][3]f32, f32) =
  let size = f32.i64 n
  let sample ((x, y, z): v3) : (v3, v3) =
    let (i, j, k) = (i64.f32 x, i64.f32 y, i64.f32 z)
    let (tx, ty, tz) = (x - f32.i64 i, y - f32.i64 j, z - f32.i64 k)
    in loop (e, b) = ((0, 0, 0), (0, 0, 0)) for c < 8 do
         let (a, q, r) = (c & 1, (c >> 1) & 1, c >> 2)
         let w = (if a == 1 then tx else 1 - tx) * (if q == 1 then ty else 1 - ty) * (if r == 1 then tz else 1 - tz)
         let f = field[(i + a) % n, (j + q) % n, (k + r) % n]
         in (add e (scale w (f[0] - 0.5, f[1] - 0.5, f[2] - 0.5)), add b (scale w (f[3], f[4] - 0.5, f[5] - 0.5)))
  let wrap v = let u = if v < 0 then v + size else v in if u >= size then u - size else u
  let push (x: v3) (v: v3) : (v3, v3) =
    loop (x, v) for _s < steps do
      let (e, b) = sample x
      let h = dt / 2
      let vm = add v (scale h e)
      let t = scale h b
      let tt = t.0 * t.0 + t.1 * t.1 + t.2 * t.2
      let vp = add vm (scale (2 / (1 + tt)) (cross (add vm (cross vm t)) t))
      let v = add vp (scale h e)
      let (a, c, d) = add x (scale dt v)
      in ((wrap a, wrap c, wrap d), v)
  let (xs, vs) = unzip (map2 (\a b -> push (wrap (a[0] * size), wrap (a[1] * size), wrap (a[2] * size))
                                           (b[0] - 0.5, b[1] - 0.5, b[2] - 0.5)) pos vel)
  let energy = f32.sum (map (\v -> 0.5 * (v.0 * v.0 + v.1 * v.1 + v.2 * v.2)) vs)
  let arr (a: v3) : [3]f32 = [a.0, a.1, a.2]
  in (map arr xs, map arr vs, energy / f32.i64 (i64.max 1 p))
