-- Robertson's stiff kinetics for many rate constants: a two-stage Rosenbrock method with the 3x3 systems solved by Cramer's rule.
type vec = {x: f64, y: f64, z: f64}
type mat = {r0: vec, r1: vec, r2: vec}

def dot (a: vec) (b: vec) : f64 = a.x * b.x + a.y * b.y + a.z * b.z
def cross (a: vec) (b: vec) : vec =
  {x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x}
def axpy (s: f64) (a: vec) (b: vec) : vec = {x = s * a.x + b.x, y = s * a.y + b.y, z = s * a.z + b.z}

def solve (m: mat) (b: vec) : vec =
  let c0 = cross m.r1 m.r2
  let c1 = cross m.r2 m.r0
  let c2 = cross m.r0 m.r1
  let d = 1 / dot m.r0 c0
  in {x = d * (b.x * c0.x + b.y * c1.x + b.z * c2.x),
      y = d * (b.x * c0.y + b.y * c1.y + b.z * c2.y),
      z = d * (b.x * c0.z + b.y * c1.z + b.z * c2.z)}

def field (k1: f64) (k2: f64) (k3: f64) (u: vec) : vec =
  let a = k1 * u.x
  let b = k2 * u.y * u.y
  let c = k3 * u.y * u.z
  in {x = c - a, y = a - b - c, z = b}

def system (g: f64) (k1: f64) (k2: f64) (k3: f64) (u: vec) : mat =
  {r0 = {x = 1 + g * k1, y = -g * k3 * u.z, z = -g * k3 * u.y},
   r1 = {x = -g * k1, y = 1 + g * (2 * k2 * u.y + k3 * u.z), z = g * k3 * u.y},
   r2 = {x = 0, y = -g * 2 * k2 * u.y, z = 1}}

entry main [n] (steps: i64) (h0: f64) (rates: [n][3]f64) : ([n][3]f64, [3]f64) =
  let gamma = 1 + 1 / f64.sqrt 2
  let run (r: [3]f64) =
    let k1 = 0.02 + 0.04 * r[0]
    let k2 = 1e7 * (1 + 2 * r[1])
    let k3 = 5e3 * (1 + r[2])
    let (u, _) =
      loop (u, h) = ({x = 1, y = 0, z = 0}, h0) for _i < steps do
        let m = system (gamma * h) k1 k2 k3 u
        let a = solve m (field k1 k2 k3 u)
        let f2 = field k1 k2 k3 (axpy h a u)
        let b = solve m (axpy (-2) a f2)
        in (axpy (1.5 * h) a (axpy (0.5 * h) b u), f64.min 50 (1.1 * h))
    in [u.x, u.y, u.z]
  let out = map run rates
  in (out, map (\c -> f64.sum c / f64.i64 n) (transpose out))
