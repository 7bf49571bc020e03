-- A 3-D seven-point step with varying conductivity.
entry main [d][h][w] (steps: i32) (k: [d][h][w]f32) (a: [d][h][w]f32) : [d][h][w]f32 =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let step (a: [d][h][w]f32) = tabulate_3d d h w (\z y x ->
    a[z,y,x] + 0.1*k[z,y,x]*(a[cl d (z-1),y,x]+a[cl d (z+1),y,x]+a[z,cl h (y-1),x]+a[z,cl h (y+1),x]+a[z,y,cl w (x-1)]+a[z,y,cl w (x+1)]-6*a[z,y,x]))
  in iterate steps step a
