-- Burgers' equation on many rings by fifth-order WENO reconstruction with a global Lax-Friedrichs split and the three-stage SSP Runge-Kutta method; total variation and mass at the end.
def weno (a: f64) (b: f64) (c: f64) (d: f64) (e: f64): f64 =
  let sq x = x * x
  let b0 = 13/12 * sq (a - 2*b + c) + sq (a - 4*b + 3*c) / 4
  let b1 = 13/12 * sq (b - 2*c + d) + sq (b - d) / 4
  let b2 = 13/12 * sq (c - 2*d + e) + sq (3*c - 4*d + e) / 4
  let eps = 1e-6
  let w0 = 0.1 / sq (eps + b0)
  let w1 = 0.6 / sq (eps + b1)
  let w2 = 0.3 / sq (eps + b2)
  let q0 = (2*a - 7*b + 11*c) / 6
  let q1 = (-b + 5*c + 2*d) / 6
  let q2 = (2*c + 5*d - e) / 6
  in (w0*q0 + w1*q1 + w2*q2) / (w0 + w1 + w2)

def rhs [m] (dx: f64) (alpha: f64) (u: [m]f64): [m]f64 =
  let plus = map (\x -> 0.5*(x*x/2 + alpha*x)) u
  let minus = map (\x -> 0.5*(x*x/2 - alpha*x)) u
  let at (a: [m]f64) i = a[(i + m) % m]
  let face = tabulate m (\i -> -- between i and i + 1
    weno (at plus (i-2)) (at plus (i-1)) (at plus i) (at plus (i+1)) (at plus (i+2))
    + weno (at minus (i+3)) (at minus (i+2)) (at minus (i+1)) (at minus i) (at minus (i-1)))
  in map2 (\r l -> (l - r) / dx) face (rotate (-1) face)

entry main [n] (m: i64) (steps: i32) (cfl: f64) (amps: [n][3]f64): ([n][m]f64, [n]f64, [n]f64) =
  let dx = 1 / f64.i64 m
  let start (a: [3]f64) = tabulate m (\i ->
    let x = 2 * f64.pi * f64.i64 i * dx
    in 0.5 + a[0] * f64.sin x + 0.5 * a[1] * f64.cos (2*x) + 0.3 * a[2] * f64.sin (3*x))
  let run a =
    let u = loop u = start a for _i < steps do
      let alpha = f64.maximum (map f64.abs u)
      let dt = cfl * dx / alpha
      let f = rhs dx alpha
      let u1 = map2 (\x k -> x + dt*k) u (f u)
      let u2 = map3 (\x y k -> 0.75*x + 0.25*(y + dt*k)) u u1 (f u1)
      in map3 (\x y k -> x/3 + 2/3*(y + dt*k)) u u2 (f u2)
    let tv = f64.sum (map2 (\p q -> f64.abs (p - q)) u (rotate 1 u))
    in (u, tv, f64.sum u * dx)
  in unzip3 (map run amps)
