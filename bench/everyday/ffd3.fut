-- Volume registration by free-form deformation: cubic B-splines on a coarse control lattice move a trilinear sampler; squared differences, correlation and the least Jacobian.
def spacing : i64 = 8

def bspline (t: f32): [4]f32 =
  let u = 1 - t
  in [u*u*u/6, (3*t*t*t - 6*t*t + 4)/6, (3*u*u*u - 6*u*u + 4)/6, t*t*t/6]

def trilinear [d][h][w] (v: [d][h][w]f32) (z: f32) (y: f32) (x: f32): f32 =
  let lim n a = f32.max 0 (f32.min (f32.i64 (n - 1)) a)
  let (z, y, x) = (lim d z, lim h y, lim w x)
  let (k, j, i) = (i64.f32 z, i64.f32 y, i64.f32 x)
  let (k1, j1, i1) = (i64.min (d-1) (k+1), i64.min (h-1) (j+1), i64.min (w-1) (i+1))
  let mix t a b = a + t*(b - a)
  let (tz, ty, tx) = (z - f32.i64 k, y - f32.i64 j, x - f32.i64 i)
  let plane k = mix ty (mix tx v[k, j, i] v[k, j, i1]) (mix tx v[k, j1, i] v[k, j1, i1])
  in mix tz (plane k) (plane k1)

entry main [d][h][w][gd][gh][gw] (amp: f32) (ctrl: [gd][gh][gw][3]f32) (fixed: [d][h][w]f32) (moving: [d][h][w]f32)
    : ([d][h][w]f32, f32, f32, f32) =
  let weights = tabulate spacing (\i -> bspline (f32.i64 i / f32.i64 spacing))
  let shift z y x =
    let (cz, cy, cx) = (z / spacing, y / spacing, x / spacing)
    let (wz, wy, wx) = (weights[z % spacing], weights[y % spacing], weights[x % spacing])
    in loop (a, b, c) = (0, 0, 0) for i < 64 do
         let (i, j, k) = (i / 16, i / 4 % 4, i % 4)
         let p = ctrl[i64.min (gd-1) (cz+i), i64.min (gh-1) (cy+j), i64.min (gw-1) (cx+k)]
         let wt = amp * wz[i] * wy[j] * wx[k]
         in (a + wt*(p[0] - 0.5), b + wt*(p[1] - 0.5), c + wt*(p[2] - 0.5))
  let field = tabulate_3d d h w shift
  let warped = tabulate_3d d h w (\z y x ->
    let (a, b, c) = field[z, y, x] in trilinear moving (f32.i64 z + a) (f32.i64 y + b) (f32.i64 x + c))
  let n = f32.i64 (d*h*w)
  let f = flatten_3d fixed
  let g = flatten_3d warped
  let ssd = f32.sum (map2 (\a b -> (a - b)*(a - b)) f g) / n
  let (mf, mg) = (f32.sum f / n, f32.sum g / n)
  let (fg, ff, gg) = reduce_comm (\(a, b, c) (x, y, z) -> (a+x, b+y, c+z)) (0, 0, 0)
                                 (map2 (\a b -> let (a, b) = (a - mf, b - mg) in (a*b, a*a, b*b)) f g)
  let jac z y x =
    let diff (p: (f32, f32, f32)) (q: (f32, f32, f32)) = (p.0 - q.0, p.1 - q.1, p.2 - q.2)
    let o = field[z, y, x]
    let dz = diff field[i64.min (d-1) (z+1), y, x] o
    let dy = diff field[z, i64.min (h-1) (y+1), x] o
    let dx = diff field[z, y, i64.min (w-1) (x+1)] o
    in (1+dz.0)*((1+dy.1)*(1+dx.2) - dy.2*dx.1) - dz.1*(dy.0*(1+dx.2) - dy.2*dx.0) + dz.2*(dy.0*dx.1 - (1+dy.1)*dx.0)
  let least = f32.minimum (flatten_3d (tabulate_3d d h w jac))
  in (warped, ssd, fg / f32.sqrt (ff*gg + 1e-6), least)
