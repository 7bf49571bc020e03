entry main [h][w] (steps: i32) (nu: f32) (u: [h][w]f32) (v: [h][w]f32) : ([h][w]f32,[h][w]f32) =
  loop (u,v) for _i < steps do
    let f (q: [h][w]f32) = tabulate_2d h w (\y x ->
      if y == 0 || x == 0 || y == h-1 || x == w-1 then q[y,x] else
      q[y,x] - 0.1*u[y,x]*(q[y,x]-q[y,x-1]) - 0.1*v[y,x]*(q[y,x]-q[y-1,x])
      + nu*(q[y+1,x]+q[y-1,x]+q[y,x+1]+q[y,x-1]-4*q[y,x]))
    in (f u, f v)
