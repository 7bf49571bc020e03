entry main [h][w] (angle: f32) (a: [h][w]f32) : [h][w]f32 =
  let c = f32.cos angle let s = f32.sin angle
  let cy = f32.i64 h/2 let cx = f32.i64 w/2
  let get y x = if y < 0 || x < 0 || y >= h || x >= w then 0 else a[y,x]
  in tabulate_2d h w (\y x ->
    let dy = f32.i64 y - cy let dx = f32.i64 x - cx
    let sy = cy + c*dy - s*dx let sx = cx + s*dy + c*dx
    let y0 = i64.f32 (f32.floor sy) let x0 = i64.f32 (f32.floor sx)
    let fy = sy - f32.floor sy let fx = sx - f32.floor sx
    in (1-fy)*((1-fx)*get y0 x0 + fx*get y0 (x0+1)) + fy*((1-fx)*get (y0+1) x0 + fx*get (y0+1) (x0+1)))
