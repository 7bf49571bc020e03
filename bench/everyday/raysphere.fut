entry main [s] (h: i64) (w: i64) (spheres: [s][4]f32) : [h][w]f32 =
  tabulate_2d h w (\y x ->
    let dx = f32.i64 x/f32.i64 w - 0.5 let dy = f32.i64 y/f32.i64 h - 0.5 let dz = 1f32
    let l = f32.sqrt (dx*dx+dy*dy+dz*dz) let (dx,dy,dz) = (dx/l,dy/l,dz/l)
    let t = reduce f32.min f32.inf (map (\sp ->
      let (cx,cy,cz,r) = (sp[0]*8-4, sp[1]*8-4, sp[2]*10+4, sp[3]*0.5+0.1)
      let b = cx*dx+cy*dy+cz*dz
      let disc = b*b - (cx*cx+cy*cy+cz*cz) + r*r
      in if disc < 0 then f32.inf else let t = b - f32.sqrt disc in if t > 0 then t else f32.inf) spheres)
    in if t < f32.inf then 1/(1+t) else 0)
