-- Discontinuous Galerkin advection in 1-D, three Legendre modes per cell, upwind flux, third-order Runge-Kutta, moment limiter.
type cell = [3]f64

-- Value at the right end of a cell, in modes.
def right (u: cell) = u[0] + u[1] + u[2]

def rhs [n] (speed: f64) (dx: f64) (u: [n]cell) : [n]cell =
  let inflow = rotate (-1) (map right u)
  in map2 (\c fin ->
             let fout = right c
             let s = speed / dx
             in [ s * (fin - fout)
                , 3 * s * (2 * c[0] - fin - fout)
                , 5 * s * (2 * c[1] + fin - fout) ])
          u inflow

def minmod (a: f64) (b: f64) (c: f64) : f64 =
  if a > 0 && b > 0 && c > 0 then f64.min a (f64.min b c)
  else if a < 0 && b < 0 && c < 0 then f64.max a (f64.max b c)
  else 0

-- Slopes bounded by neighbours' differences, continuously blended with the curvature.
def limit [n] (u: [n]cell) : [n]cell =
  map3 (\l c r ->
          let s = minmod c[1] (2 * (c[0] - l[0])) (2 * (r[0] - c[0]))
          let keep = (s * s + 1e-6) / (c[1] * c[1] + 1e-6)
          in [c[0], s, keep * c[2]])
       (rotate (-1) u) u (rotate 1 u)

def axpby [n] (a: f64) (x: [n]cell) (b: f64) (y: [n]cell) : [n]cell =
  map2 (map2 (\p q -> a * p + b * q)) x y

entry main [n] (steps: i32) (cfl: f64) (mean: [n]f64) (slope: [n]f64) : ([n]f64, f64, f64) =
  let dx = 1 / f64.i64 n
  let dt = cfl * dx
  let euler u = axpby 1 u dt (rhs 1 dx u)
  let u0 = map2 (\m s -> [m, 0.2 * (s - 0.5), 0.05 * (m - s)]) mean slope |> limit
  let u =
    loop u = u0 for _t < steps do
      let a = limit (euler u)
      let b = limit (axpby 0.75 u 0.25 (euler a))
      in limit (axpby (1 / 3) u (2 / 3) (euler b))
  let m = map (\c -> c[0]) u
  in (m, f64.sum m * dx, f64.sum (map2 (\x y -> f64.abs (x - y)) m (rotate 1 m)) * dx)
