-- Semi-Lagrangian advection, 10 steps.
entry main [h][w] (steps: i32) (u: [h][w]f32) (v: [h][w]f32) (q: [h][w]f32) : [h][w]f32 =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let step (q: [h][w]f32) = tabulate_2d h w (\y x ->
    let sy = f32.i64 y - 2*(v[y,x]-0.5) let sx = f32.i64 x - 2*(u[y,x]-0.5)
    let y0 = i64.f32 (f32.floor sy) let x0 = i64.f32 (f32.floor sx)
    let fy = sy - f32.floor sy let fx = sx - f32.floor sx
    let at y x = q[cl h y, cl w x]
    in (1-fy)*((1-fx)*at y0 x0 + fx*at y0 (x0+1)) + fy*((1-fx)*at (y0+1) x0 + fx*at (y0+1) (x0+1)))
  in iterate steps step q
