-- A spatial transformer's gradient: per image an affine grid, eased bilinear sampling with zeros outside, a squared error; for the six parameters and the images.
def bilinear [h][w] (im: [h][w]f32) (y: f32) (x: f32): f32 =
  let (fy, fx) = (f32.floor y, f32.floor x)
  let (iy, ix) = (i64.f32 fy, i64.f32 fx)
  let ease t = t*t*(3 - 2*t)
  let (b, a) = (ease (y - fy), ease (x - fx))
  let at i j = if i < 0 || j < 0 || i >= h || j >= w then 0 else im[i, j]
  in (1-b) * ((1-a) * at iy ix + a * at iy (ix+1)) + b * ((1-a) * at (iy+1) ix + a * at (iy+1) (ix+1))

def transform [c][h][w] (th: [2][3]f32) (im: [c][h][w]f32): [c][h][w]f32 =
  let norm n i = 2 * f32.i64 i / f32.i64 (n-1) - 1
  let place n v = 0.5 * (v + 1) * f32.i64 (n-1)
  let grid = tabulate_2d h w (\y x ->
    let (v, u) = (norm h y, norm w x)
    let lin k e = (0.2 * th[k, 0] + (if e then 0.8 else 0)) * u + (0.2 * th[k, 1] + (if e then 0 else 0.8)) * v + 0.1 * th[k, 2]
    in (place h (lin 1 false), place w (lin 0 true)))
  in map (\plane -> map (map (\(y, x) -> bilinear plane y x)) grid) im

entry main [n][c][h][w] (theta: [n][2][3]f32) (x: [n][c][h][w]f32) (goal: [n][c][h][w]f32): ([n][2][3]f32, [n][c][h][w]f32, f32) =
  let loss (theta, x) =
    let e = map2 (map2 (map2 (map2 (-)))) (map2 transform theta x) goal
    in f32.sum (map (\d -> f32.sum (map (\v -> v*v) (flatten_3d d))) e) / f32.i64 (c*h*w)
  let (dt, dx) = vjp loss (theta, x) 1
  in (dt, dx, loss (theta, x))
