-- Smoke: advection by looking back, diffusion and a pressure that makes the flow free of divergence.
def main [h][w] (steps: i32) (dt: f32) (u: [h][w]f32) (v: [h][w]f32) (d: [h][w]f32) : ([h][w]f32, [h][w]f32, [h][w]f32) =
  let cl n x = i64.max 0 (i64.min (n-1) x)
  let at (a: [h][w]f32) y x = a[cl h y, cl w x]
  let sample (a: [h][w]f32) (y: f32) (x: f32) =
    let y0 = f32.floor y let x0 = f32.floor x
    let fy = y - y0 let fx = x - x0
    let iy = i64.f32 y0 let ix = i64.f32 x0
    in (1-fy)*((1-fx)*at a iy ix + fx*at a iy (ix+1)) + fy*((1-fx)*at a (iy+1) ix + fx*at a (iy+1) (ix+1))
  in loop (u, v, d) = (u, v, d) for _i < steps do
    let back (a: [h][w]f32) = tabulate_2d h w (\y x -> sample a (f32.i64 y - dt * v[y,x]) (f32.i64 x - dt * u[y,x]))
    let u1 = back u let v1 = back v let d1 = back d
    let div = tabulate_2d h w (\y x -> 0.5 * (at u1 y (x+1) - at u1 y (x-1) + at v1 (y+1) x - at v1 (y-1) x))
    let p = loop p = replicate h (replicate w 0) for _j < 10i32 do
      tabulate_2d h w (\y x -> 0.25 * (at p (y-1) x + at p (y+1) x + at p y (x-1) + at p y (x+1) - div[y,x]))
    in (tabulate_2d h w (\y x -> u1[y,x] - 0.5 * (at p y (x+1) - at p y (x-1))),
        tabulate_2d h w (\y x -> v1[y,x] - 0.5 * (at p (y+1) x - at p (y-1) x)), d1)
