-- Liquid and vapour by Shan and Chen's pseudopotential lattice Boltzmann method (D2Q9, velocities innermost), periodic: pulled populations, attraction from psi, the velocity shifted by it.
def cx : [9]i64 = [0, 1, 0, -1, 0, 1, -1, -1, 1]
def cy : [9]i64 = [0, 0, 1, 0, -1, 1, 1, -1, -1]
def wt : [9]f32 = [4/9, 1/9, 1/9, 1/9, 1/9, 1/36, 1/36, 1/36, 1/36]

def feq (rho: f32) (u: f32) (v: f32): [9]f32 =
  map3 (\w x y ->
    let c = 3*(f32.i64 x*u + f32.i64 y*v)
    in w*rho*(1 + c + 0.5*c*c - 1.5*(u*u + v*v))) wt cx cy

entry main [h][w] (steps: i32) (g: f32) (tau: f32) (noise: [h][w]f32): ([h][w]f32, [h][w]f32, f32, f32) =
  let wrap n i = if i < 0 then i + n else if i >= n then i - n else i
  let start = map (map (\r -> feq (0.65 + 0.05*r) 0 0)) noise
  let step (f: [h][w][9]f32): [h][w][9]f32 =
    let streamed = tabulate_3d h w 9 (\y x k -> f[wrap h (y - cy[k]), wrap w (x - cx[k]), k])
    let rho = map (map f32.sum) streamed
    let psi = map (map (\r -> 1 - f32.exp (-r))) rho
    in tabulate_2d h w (\y x ->
         let fi = streamed[y, x]
         let r = rho[y, x]
         let (mx, my, fx, fy) =
           loop (mx, my, fx, fy) = (0, 0, 0, 0) for k < 9 do
             let (ex, ey) = (f32.i64 cx[k], f32.i64 cy[k])
             let p = wt[k] * psi[wrap h (y + cy[k]), wrap w (x + cx[k])]
             in (mx + ex*fi[k], my + ey*fi[k], fx + ex*p, fy + ey*p)
         let force = g * psi[y, x] * tau
         let u = (mx + force*fx) / r
         let v = (my + force*fy) / r
         in map2 (\a b -> a - (a - b)/tau) fi (feq r u v))
  let f = iterate steps step start
  let rho = map (map f32.sum) f
  let speed = map2 (map2 (\fi r ->
    let mx = f32.sum (map2 (\a c -> a * f32.i64 c) fi cx)
    let my = f32.sum (map2 (\a c -> a * f32.i64 c) fi cy)
    in f32.sqrt (mx*mx + my*my) / r)) f rho
  in (rho, speed, f32.minimum (flatten rho), f32.maximum (flatten rho))
