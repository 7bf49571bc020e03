-- Rayleigh-Benard convection by two lattice Boltzmann equations: D2Q9 for the flow with Boussinesq's force, D2Q5 for the temperature; hot floor, cold ceiling, periodic sides.
def ex: [9]i64 = [0, 1, 0, -1, 0, 1, -1, -1, 1]
def ey: [9]i64 = [0, 0, 1, 0, -1, 1, 1, -1, -1]
def wf: [9]f32 = [4/9, 1/9, 1/9, 1/9, 1/9, 1/36, 1/36, 1/36, 1/36]
def wt: [5]f32 = [1/3, 1/6, 1/6, 1/6, 1/6]
def opposite: [9]i64 = [0, 3, 4, 1, 2, 7, 8, 5, 6]

def macro [h][w] (f: [9][h][w]f32) (g: [5][h][w]f32) (y: i64) (x: i64) =
  let rho = f32.sum (map (\q -> f[q, y, x]) (iota 9))
  let jx = f32.sum (map (\q -> f32.i64 ex[q] * f[q, y, x]) (iota 9))
  let jy = f32.sum (map (\q -> f32.i64 ey[q] * f[q, y, x]) (iota 9))
  let t = f32.sum (map (\q -> g[q, y, x]) (iota 5))
  in (rho, jx / rho, jy / rho, t)

def step [h][w] (omega: f32) (buoyancy: f32) (f: [9][h][w]f32, g: [5][h][w]f32) =
  let (f', g') =
    tabulate_2d h w (\y x ->
      let (rho, ux, uy, t) = macro f g y x
      let usq = 1.5 * (ux*ux + uy*uy)
      let a = tabulate 9 (\q ->
        let (cx, cy) = (f32.i64 ex[q], f32.i64 ey[q])
        let eu = 3 * (cx*ux + cy*uy)
        let eq = wf[q] * rho * (1 + eu + 0.5*eu*eu - usq)
        in f[q, y, x] + omega * (eq - f[q, y, x]) + 3 * wf[q] * cy * buoyancy * (t - 0.5))
      let b = tabulate 5 (\q ->
        let eq = wt[q] * t * (1 + 3 * (f32.i64 ex[q]*ux + f32.i64 ey[q]*uy))
        in 0.1 * g[q, y, x] + 0.9 * eq)
      in (a, b)) |> map unzip |> unzip
  let streamed_f = tabulate_3d 9 h w (\q y x ->
    let (yy, xx) = (y - ey[q], (x - ex[q] + w) % w)
    in if yy < 0 || yy >= h then f'[y, x, opposite[q]] else f'[yy, xx, q])
  let streamed_g = tabulate_3d 5 h w (\q y x ->
    let (yy, xx) = (y - ey[q], (x - ex[q] + w) % w)
    in if yy < 0 then 1/3 - g'[y, x, opposite[q]]
       else if yy >= h then 0 - g'[y, x, opposite[q]]
       else g'[yy, xx, q])
  in (streamed_f, streamed_g)

entry main [h][w] (steps: i32) (omega: f32) (noise: [h][w]f32): ([h][w]f32, [h][w]f32, [h]f32) =
  let f0 = tabulate_3d 9 h w (\q _ _ -> wf[q])
  let g0 = tabulate_3d 5 h w (\q y x -> wt[q] * (1 - f32.i64 y / f32.i64 h + 0.1 * noise[y, x]))
  let (f, g) = iterate steps (step omega 0.001) (f0, g0)
  let m = tabulate_2d h w (macro f g)
  in (map (map (.3)) m, map (map (.2)) m, map (\r -> f32.sum (map (\p -> p.2 * p.3) r) / f32.i64 w) m)
