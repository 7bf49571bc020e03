-- Incompressible channel flow past a disc on a staggered (MAC) grid: upwind advection, viscosity, Jacobi pressure, projection.
def solid (h: i64) (w: i64) (y: i64) (x: i64) : bool =
  let (dy, dx) = (2*y + 1 - h, 4*x + 2 - w)
  in 16 * (4*dy*dy + dx*dx) < h*h

entry main [h][w] (steps: i32) (dt: f32) (nu: f32) (noise: [h][w]f32) : ([h][]f32, [][w]f32, [h][w]f32, f32) =
  let cell y x = y >= 0 && y < h && x >= 0 && x < w && !(solid h w y x)
  let w1 = w + 1
  let h1 = h + 1
  let inflow = 1f32
  let bcu y x v = if x == 0 then inflow else if x < w && !(cell y (x-1) && cell y x) then 0 else v
  let bcv y x v = if cell (y-1) x && cell y x then v else 0
  let cl n i = i64.max 0 (i64.min (n-1) i)
  let step (u: [h][w1]f32, v: [h1][w]f32, p: [h][w]f32) =
    let gu y x = #[unsafe] u[cl h y, cl w1 x]
    let gv y x = #[unsafe] v[cl h1 y, cl w x]
    let us = tabulate_2d h w1 (\y x ->
      let a = gu y x
      let b = 0.25 * (gv y (x-1) + gv y x + gv (y+1) (x-1) + gv (y+1) x)
      let dx = if a > 0 then a - gu y (x-1) else gu y (x+1) - a
      let dy = if b > 0 then a - gu (y-1) x else gu (y+1) x - a
      let lap = gu (y-1) x + gu (y+1) x + gu y (x-1) + gu y (x+1) - 4*a
      in bcu y x (a + dt * (nu*lap - a*dx - b*dy)))
    let vs = tabulate_2d h1 w (\y x ->
      let b = gv y x
      let a = 0.25 * (gu (y-1) x + gu y x + gu (y-1) (x+1) + gu y (x+1))
      let dx = if a > 0 then b - gv y (x-1) else gv y (x+1) - b
      let dy = if b > 0 then b - gv (y-1) x else gv (y+1) x - b
      let lap = gv (y-1) x + gv (y+1) x + gv y (x-1) + gv y (x+1) - 4*b
      in bcv y x (b + dt * (nu*lap - a*dx - b*dy)))
    let div = tabulate_2d h w (\y x -> us[y,x+1] - us[y,x] + vs[y+1,x] - vs[y,x])
    let p = loop p = p for _i < 8i32 do
      tabulate_2d h w (\y x ->
        let q yy xx = if xx >= w then 0 else if cell yy xx then p[yy,xx] else p[y,x]
        in 0.25 * (q (y-1) x + q (y+1) x + q y (x-1) + q y (x+1) - div[y,x]))
    let u' = tabulate_2d h w1 (\y x ->
      bcu y x (us[y,x] - (if x == 0 then 0 else (if x < w then p[y,x] else 0) - p[y,x-1])))
    let v' = tabulate_2d h1 w (\y x ->
      if y == 0 || y == h then 0 else bcv y x (vs[y,x] - p[y,x] + p[y-1,x]))
    in (u', v', p)
  let u0 = tabulate_2d h w1 (\y x -> bcu y x (1 + 0.1 * (noise[y, cl w x] - 0.5)))
  let (u, v, p) = loop s = (u0, replicate h1 (replicate w 0), replicate h (replicate w 0)) for _i < steps do step s
  let maxdiv = f32.maximum (flatten (tabulate_2d h w (\y x -> f32.abs (u[y,x+1] - u[y,x] + v[y+1,x] - v[y,x]))))
  in (u, v, p, maxdiv)
