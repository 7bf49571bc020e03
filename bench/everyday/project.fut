-- Fluid step: divergence, 20 Jacobi iterations of the pressure, gradient subtracted.
entry main [h][w] (iters: i32) (u: [h][w]f32) (v: [h][w]f32) : ([h][w]f32, [h][w]f32) =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let div = tabulate_2d h w (\y x -> 0.5*(u[y,cl w (x+1)] - u[y,cl w (x-1)] + v[cl h (y+1),x] - v[cl h (y-1),x]))
  let p = loop p = replicate h (replicate w 0) for _i < iters do
    tabulate_2d h w (\y x -> (p[y,cl w (x+1)] + p[y,cl w (x-1)] + p[cl h (y+1),x] + p[cl h (y-1),x] - div[y,x])/4)
  in (tabulate_2d h w (\y x -> u[y,x] - 0.5*(p[y,cl w (x+1)] - p[y,cl w (x-1)])), tabulate_2d h w (\y x -> v[y,x] - 0.5*(p[cl h (y+1),x] - p[cl h (y-1),x])))
