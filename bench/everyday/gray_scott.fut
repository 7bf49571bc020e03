-- Two substances that react and diffuse on a torus.
entry main [h][w] (steps: i32) (f: f32) (k: f32) (u: [h][w]f32) (v: [h][w]f32) : ([h][w]f32, [h][w]f32) =
  let lap (a: [h][w]f32) (y: i64) (x: i64) =
    let n = if y == 0 then h-1 else y-1
    let s = if y == h-1 then 0 else y+1
    let e = if x == w-1 then 0 else x+1
    let o = if x == 0 then w-1 else x-1
    in 0.2*(a[n,x]+a[s,x]+a[y,e]+a[y,o]) + 0.05*(a[n,e]+a[n,o]+a[s,e]+a[s,o]) - a[y,x]
  in loop (u,v) = (u,v) for _i < steps do
     let uv = tabulate_2d h w (\y x ->
       let uv2 = u[y,x]*v[y,x]*v[y,x]
       in (u[y,x] + 0.8*lap u y x - uv2 + f*(1-u[y,x]), v[y,x] + 0.4*lap v y x + uv2 - (f+k)*v[y,x]))
     in (map (map (.0)) uv, map (map (.1)) uv)
