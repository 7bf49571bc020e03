-- Acoustic wave in space, eighth order (25 points).
def c : [5]f32 = [-2.847222, 1.6, -0.2, 0.02539683, -0.001785714]
entry main [d][h][w] (steps: i32) (v: [d][h][w]f32) (a: [d][h][w]f32) : [d][h][w]f32 =
  (loop (a, b) = (a, a) for _i < steps do
    (tabulate_3d d h w (\z y x ->
      if z < 4 || y < 4 || x < 4 || z >= d-4 || y >= h-4 || x >= w-4 then a[z,y,x] else
      let l = 3*c[0]*a[z,y,x]
      let l = loop l for k < 4i64 do let r = k+1 in l + c[r]*(a[z-r,y,x]+a[z+r,y,x]+a[z,y-r,x]+a[z,y+r,x]+a[z,y,x-r]+a[z,y,x+r])
      in 2*a[z,y,x] - b[z,y,x] + 0.1*v[z,y,x]*l), a)).0
