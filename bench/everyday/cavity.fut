-- Lid-driven cavity: incompressible Navier-Stokes by a projection with a fixed number of pressure iterations in each step; largest divergence per step.
type state [n] = { u: [n][n]f32, v: [n][n]f32, p: [n][n]f32 }

def dt: f32 = 0.1
def nu: f32 = 0.2

def interior (n: i64) (y: i64) (x: i64) (inside: () -> f32) (outside: f32): f32 =
  if y > 0 && y < n - 1 && x > 0 && x < n - 1 then inside () else outside

def transport [n] (s: state [n]) (q: [n][n]f32) (lid: f32): [n][n]f32 =
  tabulate_2d n n (\y x ->
    interior n y x
      (\() ->
         let c = q[y, x]
         let (l, r, d, t) = (q[y, x - 1], q[y, x + 1], q[y - 1, x], q[y + 1, x])
         let advection = 0.5 * (s.u[y, x] * (r - l) + s.v[y, x] * (t - d))
         let diffusion = l + r + d + t - 4 * c
         in c + dt * (nu * diffusion - advection))
      (if y == n - 1 then lid else 0))

def pressure [n] (k: i64) (b: [n][n]f32) (p: [n][n]f32): [n][n]f32 =
  loop p for _i < k do
    tabulate_2d n n (\y x ->
      let y' = i64.max 1 (i64.min (n - 2) y)
      let x' = i64.max 1 (i64.min (n - 2) x)
      in if y == n - 1 then 0
         else 0.25 * (p[y' - 1, x'] + p[y' + 1, x'] + p[y', x' - 1] + p[y', x' + 1] - b[y', x']))

def divergence [n] (u: [n][n]f32) (v: [n][n]f32): [n][n]f32 =
  tabulate_2d n n (\y x -> interior n y x (\() -> 0.5 * (u[y, x + 1] - u[y, x - 1] + v[y + 1, x] - v[y - 1, x])) 0)

def step [n] (k: i64) (s: state [n]): (state [n], f32) =
  let u = transport s s.u 1
  let v = transport s s.v 0
  let d = divergence u v
  let p = pressure k (map (map (/ dt)) d) s.p
  let correct (q: [n][n]f32) dy dx =
    tabulate_2d n n (\y x -> interior n y x (\() -> q[y, x] - 0.5 * dt * (p[y + dy, x + dx] - p[y - dy, x - dx])) q[y, x])
  in ({ u = correct u 0 1, v = correct v 1 0, p }, f32.maximum (map f32.abs (flatten d)))

entry main [n] (steps: i64) (k: i64) (u: [n][n]f32) (v: [n][n]f32): ([n][n]f32, [n][n]f32, [n][n]f32, [steps]f32) =
  let centred a = map (map (\x -> 0.1 * (x - 0.5))) a
  let start: state [n] = { u = centred u, v = centred v, p = replicate n (replicate n 0) }
  let (s, log) =
    loop (s, log) = (copy start, replicate steps 0) for i < steps do
      let (s, d) = step k s
      in (s, log with [i] = d)
  in (s.u, s.v, s.p, log)
