-- Shallow-ice glacier over rough ground: Glen's flow law with diffusivities at the cell corners, elevation-dependent mass balance, ice volume per step.
entry main [h][w] (steps: i64) (ela: f32) (rough: [h][w]f32) : ([h][w]f32, []f32) =
  let cl n i = i64.max 0 (i64.min (n-1) i)
  let bed = tabulate_2d h w (\y x ->
    let q n i = f32.i64 (2*i+1) / f32.i64 n - 1
    in 3 * f32.exp (-2 * (q h y ** 2 + q w x ** 2)) + 0.2 * rough[y,x])
  let h1 = h + 1
  let w1 = w + 1
  let step (ice: [h][w]f32) : [h][w]f32 =
    let surf = map2 (map2 (+)) bed ice
    let corner f = tabulate_2d h1 w1 (\y x -> f surf[cl h (y-1), cl w (x-1)] surf[cl h (y-1), cl w x] surf[cl h y, cl w (x-1)] surf[cl h y, cl w x])
    let slope2 = corner (\a b c d ->
      let gx = 0.5 * (b + d - a - c)
      let gy = 0.5 * (c + d - a - b)
      in gx*gx + gy*gy)
    let diff = tabulate_2d h1 w1 (\y x ->
      let t = 0.25 * (ice[cl h (y-1), cl w (x-1)] + ice[cl h (y-1), cl w x] + ice[cl h y, cl w (x-1)] + ice[cl h y, cl w x])
      in f32.min 1 (40 * t**5 * slope2[y,x]))
    in tabulate_2d h w (\y x ->
         let s = surf[y,x]
         let flow a b yy xx = 0.5 * (a + b) * (surf[cl h yy, cl w xx] - s)
         let q = flow diff[y,x] diff[y,x+1] (y-1) x + flow diff[y+1,x] diff[y+1,x+1] (y+1) x
                 + flow diff[y,x] diff[y+1,x] y (x-1) + flow diff[y,x+1] diff[y+1,x+1] y (x+1)
         let balance = f32.max (-0.05) (f32.min 0.02 (0.02 * (s - ela)))
         in f32.max 0 (ice[y,x] + 0.2 * q + balance))
  in loop (ice, vol) = (replicate h (replicate w 0), replicate steps 0) for k < steps do
       let ice = step ice
       in (ice, vol with [k] = f32.sum (map f32.sum ice) / f32.i64 (h*w))
