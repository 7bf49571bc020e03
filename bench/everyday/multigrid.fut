-- Two-level cycle for Poisson's equation.
def smooth [h][w] (n: i32) (f: [h][w]f32) (u: [h][w]f32) : [h][w]f32 =
  iterate n (\u -> tabulate_2d h w (\y x -> if y == 0 || x == 0 || y == h-1 || x == w-1 then 0 else (u[y-1,x]+u[y+1,x]+u[y,x-1]+u[y,x+1]-f[y,x])/4)) u
entry main [h][w] (f: [h][w]f32) : [h][w]f32 =
  let u = smooth 3 f (map (map (const 0)) f)
  let r = tabulate_2d h w (\y x -> if y == 0 || x == 0 || y == h-1 || x == w-1 then 0 else f[y,x] - (u[y-1,x]+u[y+1,x]+u[y,x-1]+u[y,x+1]-4*u[y,x]))
  let rc = tabulate_2d (h/2) (w/2) (\y x -> r[2*y,2*x] + r[i64.min (h-1) (2*y+1),2*x] + r[2*y,i64.min (w-1) (2*x+1)] + r[i64.min (h-1) (2*y+1),i64.min (w-1) (2*x+1)])
  let ec = smooth 12 rc (map (map (const 0)) rc)
  let u = tabulate_2d h w (\y x -> u[y,x] + ec[i64.min (h/2-1) (y/2), i64.min (w/2-1) (x/2)])
  in smooth 3 f u
