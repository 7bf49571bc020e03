-- PolyBench's fdtd-2d.
entry main [t][h][w] (fict: [t]f32) (ex: [h][w]f32) (ey: [h][w]f32) (hz: [h][w]f32) : ([h][w]f32,[h][w]f32,[h][w]f32) =
  loop (ex,ey,hz) for i < t do
    let ey = tabulate_2d h w (\y x -> if y == 0 then fict[i] else ey[y,x] - 0.5*(hz[y,x]-hz[y-1,x]))
    let ex = tabulate_2d h w (\y x -> if x == 0 then ex[y,x] else ex[y,x] - 0.5*(hz[y,x]-hz[y,x-1]))
    let hz = tabulate_2d h w (\y x -> if y == h-1 || x == w-1 then hz[y,x] else hz[y,x] - 0.7*(ex[y,x+1]-ex[y,x]+ey[y+1,x]-ey[y,x]))
    in (ex,ey,hz)
