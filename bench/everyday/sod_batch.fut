-- Many shock tubes at once: the Euler equations in one dimension by finite volumes with HLLC fluxes and open ends, each tube with a time step of its own.
type cons = (f64, f64, f64)

def gamma : f64 = 1.4
def pressure ((r, m, e): cons) = (gamma - 1)*(e - 0.5*m*m/r)
def sound (c: cons) = f64.sqrt (gamma * pressure c / c.0)
def phys ((r, m, e): cons): cons = let p = pressure (r, m, e) in (m, m*m/r + p, m/r*(e + p))

def hllc (l: cons) (r: cons): cons =
  let (ul, ur, pl, pr) = (l.1/l.0, r.1/r.0, pressure l, pressure r)
  let sl = f64.min (ul - sound l) (ur - sound r)
  let sr = f64.max (ul + sound l) (ur + sound r)
  let ss = (pr - pl + l.1*(sl - ul) - r.1*(sr - ur)) / (l.0*(sl - ul) - r.0*(sr - ur))
  let star (k: cons) s u p =
    let c = k.0*(s - u)/(s - ss)
    let f = phys k
    in (f.0 + s*(c - k.0), f.1 + s*(c*ss - k.1), f.2 + s*(c*(k.2/k.0 + (ss - u)*(ss + p/(k.0*(s - u)))) - k.2))
  in if sl >= 0 then phys l else if ss >= 0 then star l sl ul pl else if sr >= 0 then star r sr ur pr else phys r

entry main [n][m] (steps: i32) (tubes: [n][4]f64) (noise: [n][m]f64): ([n][m]f64, [n][m]f64, [n]f64) =
  let dx = 1 / f64.i64 m
  let run (p: [4]f64) (e: [m]f64) =
    let cell i =
      let left = i < m/2
      let rho = if left then 1 + p[0] else 0.125 + 0.3*p[1]
      let pr = (if left then 1 + p[2] else 0.1 + 0.3*p[3]) * (1 + 0.01*e[i])
      in (rho, 0, pr/(gamma - 1))
    let (u, t) =
      loop (u, t) = (tabulate m cell, 0) for _i < steps do
        let fast = f64.maximum (map (\c -> f64.abs (c.1/c.0) + sound c) u)
        let dt = 0.4 * dx / fast
        let faces = tabulate (m + 1) (\i -> hllc u[i64.max 0 (i-1)] u[i64.min (m-1) i])
        let next = map3 (\(a, b, c) (fa, fb, fc) (ga, gb, gc) ->
                           (a - dt/dx*(ga - fa), b - dt/dx*(gb - fb), c - dt/dx*(gc - fc)))
                        u (take m faces) (drop 1 faces :> [m]cons)
        in (next, t + dt)
    in (map (.0) u, map pressure u, t)
  in unzip3 (map2 run tubes noise)
