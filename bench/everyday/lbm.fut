-- Lattice Boltzmann, nine velocities, periodic: stream, then collide.
def cx : [9]i64 = [0,1,0,-1,0,1,-1,-1,1]
def cy : [9]i64 = [0,0,1,0,-1,1,1,-1,-1]
def wt : [9]f32 = [0.4444444,0.1111111,0.1111111,0.1111111,0.1111111,0.02777778,0.02777778,0.02777778,0.02777778]
entry main [h][w] (steps: i32) (omega: f32) (f: [9][h][w]f32) : [9][h][w]f32 =
  loop f for _s < steps do
    let post = tabulate_2d h w (\y x ->
      let g = map (\k -> f[k, (y - cy[k] + h) % h, (x - cx[k] + w) % w]) (iota 9)
      let rho = reduce (+) 0 g
      let ux = reduce (+) 0 (map2 (\k v -> f32.i64 cx[k] * v) (iota 9) g) / rho
      let uy = reduce (+) 0 (map2 (\k v -> f32.i64 cy[k] * v) (iota 9) g) / rho
      let usq = 1.5*(ux*ux+uy*uy)
      in map2 (\k v -> let cu = 3*(f32.i64 cx[k]*ux + f32.i64 cy[k]*uy)
                       let eq = rho*wt[k]*(1 + cu + 0.5*cu*cu - usq)
                       in v + omega*(eq-v)) (iota 9) g)
    in tabulate_3d 9 h w (\k y x -> post[y,x,k])
