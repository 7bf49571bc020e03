-- Shallow water by Lax and Friedrichs, reflecting.
entry main [h][w] (steps: i32) (e: [h][w]f32) (u: [h][w]f32) (v: [h][w]f32) : ([h][w]f32, [h][w]f32, [h][w]f32) =
  loop (e,u,v) for _i < steps do
    let r = tabulate_2d h w (\y x ->
      let n = i64.max 0 (y-1) let s = i64.min (h-1) (y+1) let o = i64.max 0 (x-1) let d = i64.min (w-1) (x+1)
      let avg (a: [h][w]f32) = (a[n,x]+a[s,x]+a[y,o]+a[y,d])/4
      in (avg e - 0.1*((u[y,d]-u[y,o]) + (v[s,x]-v[n,x])), avg u - 0.1*(e[y,d]-e[y,o]), avg v - 0.1*(e[s,x]-e[n,x])))
    in (map (map (.0)) r, map (map (.1)) r, map (map (.2)) r)
