-- Ideal magnetohydrodynamics in 2-D, a perturbed Orszag-Tang vortex, periodic, local Lax-Friedrichs fluxes, step size from a global maximum.
type cons = {rho: f32, mx: f32, my: f32, bx: f32, by: f32, e: f32}
def gamma : f32 = 5/3

def add (a: cons) (b: cons) : cons =
  {rho = a.rho+b.rho, mx = a.mx+b.mx, my = a.my+b.my, bx = a.bx+b.bx, by = a.by+b.by, e = a.e+b.e}
def scl (k: f32) (a: cons) : cons =
  {rho = k*a.rho, mx = k*a.mx, my = k*a.my, bx = k*a.bx, by = k*a.by, e = k*a.e}

def pressure (q: cons) : f32 =
  f32.max 1e-4 ((gamma - 1) * (q.e - 0.5 * (q.mx*q.mx + q.my*q.my) / q.rho - 0.5 * (q.bx*q.bx + q.by*q.by)))
def speed (q: cons) : f32 =
  f32.max (f32.abs q.mx) (f32.abs q.my) / q.rho + f32.sqrt ((gamma * pressure q + q.bx*q.bx + q.by*q.by) / q.rho)

def flux_x (q: cons) : cons =
  let (u, v) = (q.mx / q.rho, q.my / q.rho)
  let pt = pressure q + 0.5 * (q.bx*q.bx + q.by*q.by)
  in {rho = q.mx, mx = q.mx*u + pt - q.bx*q.bx, my = q.my*u - q.bx*q.by, bx = 0, by = u*q.by - v*q.bx,
      e = (q.e + pt) * u - q.bx * (u*q.bx + v*q.by)}
def turn (q: cons) : cons = q with mx = q.my with my = q.mx with bx = q.by with by = q.bx

def face (l: cons) (r: cons) : cons =
  let s = f32.max (speed l) (speed r)
  in add (scl 0.5 (add (flux_x l) (flux_x r))) (scl (-0.5 * s) (add r (scl (-1) l)))

entry main [h][w] (steps: i32) (cfl: f32) (noise: [h][w]f32) : ([h][w]f32, [h][w]f32, f32) =
  let q0 = tabulate_2d h w (\j i ->
    let (x, y) = (2 * f32.pi * f32.i64 i / f32.i64 w, 2 * f32.pi * f32.i64 j / f32.i64 h)
    let rho = 1 + 0.1 * noise[j,i]
    let (u, v) = (-0.5 * f32.sin y, 0.5 * f32.sin x)
    let (bx, by) = (-0.3 * f32.sin y, 0.3 * f32.sin (2*x))
    in {rho, mx = rho*u, my = rho*v, bx, by, e = 1 + 0.5*rho*(u*u + v*v) + 0.5*(bx*bx + by*by)})
  let (q, time) = loop (q: [h][w]cons, time) = (q0, 0) for _k < steps do
    let smax = f32.maximum (flatten (map (map speed) q))
    let k = cfl / smax
    let fx = tabulate_2d h w (\j i -> face q[j,i] q[j,(i+1) % w])
    let fy = tabulate_2d h w (\j i -> turn (face (turn q[j,i]) (turn q[(j+1) % h,i])))
    let q' = tabulate_2d h w (\j i ->
      let d = add (add fx[j,i] (scl (-1) fx[j,(i-1) % w])) (add fy[j,i] (scl (-1) fy[(j-1) % h,i]))
      in add q[j,i] (scl (-k) d))
    in (q', time + k)
  in (map (map (.rho)) q, map (map pressure) q, time)
