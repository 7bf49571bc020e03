-- Shallow water by finite volumes of second order: minmod slopes, HLL fluxes, reflecting walls, the time step from the fastest wave of all cells; ends at a given time or a number of steps.
type state = { h: f32, u: f32, v: f32 } -- depth and momenta

def grav : f32 = 9.81
def lin (a: f32) (x: state) (b: f32) (y: state): state = { h = a*x.h + b*y.h, u = a*x.u + b*y.u, v = a*x.v + b*y.v }
def minmod (a: f32) (b: f32) = if a*b <= 0 then 0 else if f32.abs a < f32.abs b then a else b
def slope (l: state) (c: state) (r: state): state =
  { h = minmod (c.h - l.h) (r.h - c.h), u = minmod (c.u - l.u) (r.u - c.u), v = minmod (c.v - l.v) (r.v - c.v) }

def flux (s: state): state = { h = s.u, u = s.u*s.u/s.h + grav*s.h*s.h/2, v = s.u*s.v/s.h }
def hll (l: state) (r: state): state =
  let (ul, ur, cl, cr) = (l.u/l.h, r.u/r.h, f32.sqrt (grav*l.h), f32.sqrt (grav*r.h))
  let a = f32.min 0 (f32.min (ul - cl) (ur - cr))
  let b = f32.max 0 (f32.max (ul + cl) (ur + cr))
  let (fl, fr) = (flux l, flux r)
  let k = 1 / (b - a)
  in lin 1 (lin (b*k) fl (-a*k) fr) (a*b*k) (lin 1 r (-1) l)

-- The change by fluxes along a row whose first momentum is normal to its faces.
def row_change [n] (row: [n]state): [n]state =
  let wall (s: state) : state = s with u = -s.u
  let at i = if i < 0 then wall row[-1 - i] else if i >= n then wall row[2*n - 1 - i] else row[i]
  let slopes = tabulate (n + 2) (\i -> slope (at (i-2)) (at (i-1)) (at i))
  let face i = hll (lin 1 (at (i-1)) 0.5 slopes[i]) (lin 1 (at i) (-0.5) slopes[i+1])
  let faces = tabulate (n + 1) face
  in tabulate n (\i -> lin 1 faces[i] (-1) faces[i+1])

def swap (s: state): state = { h = s.h, u = s.v, v = s.u }

entry main [ny][nx] (limit: i32) (t_end: f32) (bump: [ny][nx]f32): ([ny][nx]f32, [ny][nx]f32, f32, f32) =
  let start: [ny][nx]state = map (map (\b -> { h = 1 + 0.3*b, u = 0f32, v = 0f32 })) bump
  let speed (s: state) = (f32.max (f32.abs s.u) (f32.abs s.v))/s.h + f32.sqrt (grav*s.h)
  let (s, t, _) =
    loop (s, t, i) = (start, 0, 0) while i < limit && t < t_end do
      let fastest = f32.maximum (map f32.maximum (map (map speed) s))
      let dt = f32.min (0.2 / fastest) (t_end - t)
      let dx = map row_change s
      let dy = transpose (map (\c -> map swap (row_change (map swap c))) (transpose s))
      in (map3 (map3 (\c a b -> lin 1 c dt (lin 1 a 1 b))) s dx dy, t + dt, i + 1)
  in (map (map (.h)) s, map (map (.u)) s, t, f32.sum (flatten (map (map (.h)) s)) / f32.i64 (ny*nx))
