-- TV-L1 optical flow (Zach, Pock and Bischof): the image warped a few times, between them primal-dual steps with six fields.
type dual = { x: f32, y: f32 }

entry main [h][w] (warps: i32) (inner: i32) (i0: [h][w]f32) (i1: [h][w]f32): ([h][w]f32, [h][w]f32, f32) =
  let cl n (i: i64) = i64.max 0 (i64.min (n - 1) i)
  let soften a =
    let r = tabulate_2d h w (\y x -> (a[y, cl w (x-2)] + 4*a[y, cl w (x-1)] + 6*a[y, x] + 4*a[y, cl w (x+1)] + a[y, cl w (x+2)]) / 16)
    in tabulate_2d h w (\y x -> (r[cl h (y-2), x] + 4*r[cl h (y-1), x] + 6*r[y, x] + 4*r[cl h (y+1), x] + r[cl h (y+2), x]) / 16)
  let a = soften (soften i0)
  let b = soften (soften i1)
  let gx = tabulate_2d h w (\y x -> (b[y, cl w (x+1)] - b[y, cl w (x-1)]) / 2)
  let gy = tabulate_2d h w (\y x -> (b[cl h (y+1), x] - b[cl h (y-1), x]) / 2)
  let sample (im: [h][w]f32) (y: f32) (x: f32) =
    let y = f32.max 0 (f32.min (f32.i64 (h-1)) y)
    let x = f32.max 0 (f32.min (f32.i64 (w-1)) x)
    let (iy, ix) = (i64.f32 y, i64.f32 x)
    let (ty, tx) = (y - f32.i64 iy, x - f32.i64 ix)
    let row j = (1 - tx)*im[j, ix] + tx*im[j, cl w (ix+1)]
    in (1 - ty)*row iy + ty*row (cl h (iy+1))
  let (tau, lambda, theta) = (0.25f32, 4f32, 0.3f32)
  let zero = replicate h (replicate w 0f32)
  let div (p: [h][w]dual) y x =
    (if x < w-1 then p[y, x].x else 0) - (if x > 0 then p[y, x-1].x else 0)
    + (if y < h-1 then p[y, x].y else 0) - (if y > 0 then p[y-1, x].y else 0)
  let ascend (u: [h][w]f32) (p: [h][w]dual) =
    tabulate_2d h w (\y x ->
      let dx = u[y, cl w (x+1)] - u[y, x]
      let dy = u[cl h (y+1), x] - u[y, x]
      let m = 1 + tau/theta * f32.sqrt (dx*dx + dy*dy)
      in { x = (p[y, x].x + tau/theta*dx)/m, y = (p[y, x].y + tau/theta*dy)/m })
  let p0 = replicate h (replicate w { x = 0f32, y = 0f32 })
  let (u, v, _, _) =
    loop (u: [h][w]f32, v: [h][w]f32, p: [h][w]dual, q: [h][w]dual) = (zero, zero, p0, p0) for _i < warps do
      let data = tabulate_2d h w (\y x ->
        let (py, px) = (f32.i64 y + v[y, x], f32.i64 x + u[y, x])
        let (wx, wy) = (sample gx py px, sample gy py px)
        in (wx, wy, sample b py px - wx*u[y, x] - wy*v[y, x] - a[y, x]))
      in loop (u: [h][w]f32, v: [h][w]f32, p: [h][w]dual, q: [h][w]dual) = (u, v, p, q) for _j < inner do
        let uv = tabulate_2d h w (\y x ->
          let (wx, wy, r0) = data[y, x]
          let g2 = wx*wx + wy*wy + 1e-4
          let rho = r0 + wx*u[y, x] + wy*v[y, x]
          let k = f32.max (-lambda*theta) (f32.min (lambda*theta) (rho / g2))
          in (u[y, x] - k*wx + theta * div p y x, v[y, x] - k*wy + theta * div q y x))
        let u = map (map (.0)) uv
        let v = map (map (.1)) uv
        in (u, v, ascend u p, ascend v q)
  let err = f32.sum (flatten (tabulate_2d h w (\y x -> f32.abs (a[y, x] - sample b (f32.i64 y + v[y, x]) (f32.i64 x + u[y, x])))))
  in (u, v, err / f32.i64 (h*w))
