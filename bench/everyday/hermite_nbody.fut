-- Fourth-order Hermite integrator for a self-gravitating cluster (f64): acceleration and jerk from all pairs, energy at the end.
type vec = {x: f64, y: f64, z: f64}

def zero: vec = {x = 0, y = 0, z = 0}
def (a: vec) <+> (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def (a: vec) <-> (b: vec) : vec = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
def scale (s: f64) (a: vec) : vec = {x = s * a.x, y = s * a.y, z = s * a.z}
def dot (a: vec) (b: vec) = a.x * b.x + a.y * b.y + a.z * b.z

def forces [n] (eps2: f64) (ms: [n]f64) (ps: [n]vec) (vs: [n]vec) : ([n]vec, [n]vec) =
  let pull p v (m, q, u) =
    let r = q <-> p
    let w = u <-> v
    let d2 = dot r r + eps2
    let inv3 = m / (d2 * f64.sqrt d2)
    let rv = 3 * dot r w / d2
    in (scale inv3 r, scale inv3 (w <-> scale rv r))
  in unzip (map2 (\p v ->
                    reduce (\(a, j) (b, k) -> (a <+> b, j <+> k)) (zero, zero)
                           (map (pull p v) (zip3 ms ps vs)))
                 ps vs)

def main [n] (steps: i32) (dt: f64) (mass: [n]f64) (pos: [n][3]f64) (vel: [n][3]f64) : ([n][3]f64, f64) =
  let vec (s: f64) (a: [3]f64) : vec = {x = s * (a[0] - 0.5), y = s * (a[1] - 0.5), z = s * (a[2] - 0.5)}
  let eps2 = 0.01
  let ms = map (\m -> (0.5 + m) / f64.i64 n) mass
  let ps = map (vec 2) pos
  let vs = map (vec 1) vel
  let (a, j) = forces eps2 ms ps vs
  let (ps, vs, _, _) =
    loop (ps, vs, a, j) for _i < steps do
      let p' = map4 (\p v a j -> p <+> scale dt v <+> scale (dt * dt / 2) a <+> scale (dt * dt * dt / 6) j) ps vs a j
      let v' = map3 (\v a j -> v <+> scale dt a <+> scale (dt * dt / 2) j) vs a j
      let (a1, j1) = forces eps2 ms p' v'
      let vn =
        map5 (\v a0 b0 a1 b1 -> v <+> scale (dt / 2) (a0 <+> a1) <+> scale (dt * dt / 12) (b0 <-> b1)) vs a j a1 j1
      let pn =
        map5 (\p v0 v1 a0 a1 -> p <+> scale (dt / 2) (v0 <+> v1) <+> scale (dt * dt / 12) (a0 <-> a1)) ps vs vn a a1
      in (pn, vn, a1, j1)
  let kinetic = f64.sum (map2 (\m v -> 0.5 * m * dot v v) ms vs)
  let potential =
    f64.sum (tabulate n (\i ->
                           loop s = 0 for k < n do
                             let r = ps[k] <-> ps[i]
                             in if k == i then s else s - 0.5 * ms[i] * ms[k] / f64.sqrt (dot r r + eps2)))
  in (map (\p -> [p.x, p.y, p.z]) ps, kinetic + potential)
