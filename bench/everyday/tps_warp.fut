-- Thin-plate-spline warp of an RGB u8 image by 16 control points; bilinear sampling over a constant background, in f32.
def kernel (r2: f32) : f32 = if r2 < 1e-12 then 0 else r2 * f32.log r2

entry main [h][w][k] (amount: f32) (ctrl: [k][4]f32) (img: [h][w][3]u8) : [h][w][3]f32 =
  let size = f32.i64 (i64.max h w)
  -- the weights of a spline sum to zero; the affine part is a slight rotation
  let mx = f32.sum (map (\c -> c[2]) ctrl) / f32.i64 (i64.max 1 k)
  let my = f32.sum (map (\c -> c[3]) ctrl) / f32.i64 (i64.max 1 k)
  let pts = map (\c -> (c[0], c[1], amount * (c[2] - mx), amount * (c[3] - my))) ctrl
  let sample (sy: f32) (sx: f32) : [3]f32 =
    let (y0, x0) = (f32.floor sy, f32.floor sx)
    let (fy, fx) = (sy - y0, sx - x0)
    let (yi, xi) = (i64.f32 y0, i64.f32 x0)
    let tap y x c : f32 = if y >= 0 && y < h && x >= 0 && x < w then f32.u8 img[y,x,c] else 16
    in map (\c ->
         (1-fy) * ((1-fx) * tap yi xi c + fx * tap yi (xi+1) c)
         + fy * ((1-fx) * tap (yi+1) xi c + fx * tap (yi+1) (xi+1) c)) (iota 3)
  in tabulate_2d h w (\y x ->
       let (u, v) = (f32.i64 x / size, f32.i64 y / size)
       let (du, dv) = loop (du, dv) = (0.02 * v - 0.01, 0.01 - 0.02 * u) for (px, py, wx, wy) in pts do
         let t = kernel ((u - px) ** 2 + (v - py) ** 2)
         in (du + wx * t, dv + wy * t)
       in sample ((v + dv) * size) ((u + du) * size))
