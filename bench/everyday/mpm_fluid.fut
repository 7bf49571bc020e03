-- A weakly compressible fluid by the material point method (MLS, affine transfers): particles to a grid by quadratic B-splines, walls and gravity there, and back; a swirl at the start; each particle keeps its volume and affine matrix.
type pt = { x: f32, y: f32, u: f32, v: f32, c: (f32, f32, f32, f32), j: f32 }

def spline (t: f32): (f32, f32, f32) = (0.5*(1.5 - t)*(1.5 - t), 0.75 - (t - 1)*(t - 1), 0.5*(t - 0.5)*(t - 0.5))
def pick (w: (f32, f32, f32)) (k: i64) = if k == 0 then w.0 else if k == 1 then w.1 else w.2

entry main [n] (g: i64) (steps: i32) (dt: f32) (px: [n]f32) (py: [n]f32): ([n]f32, [n]f32, [n]f32, [g][g]f32) =
  let inv = f32.i64 g
  let stencil (p: pt) =
    let (gx, gy) = (p.x*inv, p.y*inv)
    let (i, j) = (i64.f32 (gx - 0.5), i64.f32 (gy - 0.5))
    let (i, j) = (i64.max 0 (i64.min (g-3) i), i64.max 0 (i64.min (g-3) j))
    in (i, j, gx - f32.i64 i, gy - f32.i64 j)
  let vol = 0.25 / (inv*inv)
  let deposit (p: pt): [9](i64, (f32, f32, f32)) =
    let (i, j, fx, fy) = stencil p
    let (wx, wy) = (spline fx, spline fy)
    let stress = -dt * 4 * inv * inv * vol * 40 * (p.j - 1)
    let (a, b, c, d) = (stress + vol*p.c.0, vol*p.c.1, vol*p.c.2, stress + vol*p.c.3)
    in tabulate 9 (\k ->
         let (kx, ky) = (k % 3, k / 3)
         let w = pick wx kx * pick wy ky
         let dx = (f32.i64 kx - fx) / inv
         let dy = (f32.i64 ky - fy) / inv
         in ((j + ky)*g + i + kx, (w*(vol*p.u + a*dx + b*dy), w*(vol*p.v + c*dx + d*dy), w*vol)))
  let add (a: (f32, f32, f32)) (b: (f32, f32, f32)) = (a.0 + b.0, a.1 + b.1, a.2 + b.2)
  let grid_of (ps: [n]pt) =
    let (is, vs) = unzip (flatten (map deposit ps))
    in hist add (0, 0, 0) (g*g) is vs
  let bounded (k: i64) (mu, mv, m) =
    let (u, v) = if m > 1e-12 then (mu/m, mv/m - 9.8*dt) else (0, 0)
    let (x, y) = (k % g, k / g)
    let u = if x < 3 then f32.max 0 u else if x > g - 4 then f32.min 0 u else u
    let v = if y < 3 then f32.max 0 v else if y > g - 4 then f32.min 0 v else v
    in (u, v)
  let gather (vel: [](f32, f32)) (p: pt): pt =
    let (i, j, fx, fy) = stencil p
    let (wx, wy) = (spline fx, spline fy)
    let (u, v, a, b, c, d) =
      loop (u, v, a, b, c, d) = (0, 0, 0, 0, 0, 0) for k < 9 do
        let (kx, ky) = (k % 3, k / 3)
        let w = pick wx kx * pick wy ky
        let (gu, gv) = vel[(j + ky)*g + i + kx]
        let (dx, dy) = (f32.i64 kx - fx, f32.i64 ky - fy)
        let s = 4 * inv * w
        in (u + w*gu, v + w*gv, a + s*gu*dx, b + s*gu*dy, c + s*gv*dx, d + s*gv*dy)
    let lim t = f32.max (2/inv) (f32.min (1 - 2/inv) t)
    in { x = lim (p.x + dt*u), y = lim (p.y + dt*v), u, v, c = (a, b, c, d), j = f32.max 0.6 (f32.min 1.4 (p.j * (1 + dt*(a + d)))) }
  let start = map2 (\x y : pt -> { x = 0.2 + 0.4*x, y = 0.2 + 0.5*y, u = 2*(y - 0.5), v = 2*(0.5 - x), c = (0, 0, 0, 0), j = 1 }) px py
  let ps = loop ps = start for _i < steps do
    let vel = map2 bounded (iota (g*g)) (grid_of ps)
    in map (gather vel) ps
  let mass = unflatten (map (.2) (grid_of ps))
  in (map (.x) ps, map (.y) ps, map (.j) ps, mass)
