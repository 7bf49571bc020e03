-- Demons registration: the moving image is warped, the optical-flow force added to the displacements, both smoothed; two nested loops, the error of each iteration.
type field [h][w] = ([h][w]f32, [h][w]f32)

def cl (n: i64) (i: i64) = i64.max 0 (i64.min (n-1) i)

def warp [h][w] (im: [h][w]f32) (u: field [h][w]): [h][w]f32 =
  tabulate_2d h w (\y x ->
    let py = f32.max 0 (f32.min (f32.i64 (h-1)) (f32.i64 y + u.0[y,x]))
    let px = f32.max 0 (f32.min (f32.i64 (w-1)) (f32.i64 x + u.1[y,x]))
    let (iy, ix) = (i64.f32 py, i64.f32 px)
    let (b, a) = (py - f32.i64 iy, px - f32.i64 ix)
    let row i = (1-a)*im[i, ix] + a*im[i, cl w (ix+1)]
    in (1-b) * row iy + b * row (cl h (iy+1)))

def smooth [h][w] (passes: i64) (im: [h][w]f32): [h][w]f32 =
  loop im for _i < passes do
    let r = tabulate_2d h w (\y x -> 0.25*im[y, cl w (x-1)] + 0.5*im[y,x] + 0.25*im[y, cl w (x+1)])
    in tabulate_2d h w (\y x -> 0.25*r[cl h (y-1), x] + 0.5*r[y,x] + 0.25*r[cl h (y+1), x])

entry main [h][w] (iters: i64) (passes: i64) (fixed: [h][w]f32) (moving: [h][w]f32): ([h][w]f32, [h][w]f32, [h][w]f32, [iters]f32) =
  let (fixed, moving) = (smooth 2 fixed, smooth 2 moving)
  let gy = tabulate_2d h w (\y x -> 0.5 * (fixed[cl h (y+1), x] - fixed[cl h (y-1), x]))
  let gx = tabulate_2d h w (\y x -> 0.5 * (fixed[y, cl w (x+1)] - fixed[y, cl w (x-1)]))
  let zero () = replicate h (replicate w 0f32)
  let (uy, ux, errors) =
    loop (uy, ux, errors) = (zero (), zero (), replicate iters 0) for i < iters do
      let d = map2 (map2 (-)) fixed (warp moving (uy, ux))
      let force g = map4 (map4 (\d a b g -> d * g / (a*a + b*b + d*d + 0.02))) d gy gx g
      let uy' = smooth passes (map2 (map2 (+)) uy (force gy))
      let ux' = smooth passes (map2 (map2 (+)) ux (force gx))
      in (uy', ux', errors with [i] = f32.sum (map (\r -> f32.sum (map (\a -> a*a) r)) d) / f32.i64 (h*w))
  in (uy, ux, warp moving (uy, ux), errors)
