-- Affine alignment by inverse-compositional Gauss-Newton: the Hessian once, then warp, residual, a 6x6 solve; parameters and error per iteration, in double precision.
def solve6 (a: [6][6]f64) (b: [6]f64): [6]f64 =
  let m = map2 (\r v -> r ++ [v] :> [7]f64) a b
  let m = loop m = copy m for k < 6 do
    let pivot = map (/ m[k, k]) m[k]
    in tabulate 6 (\i -> if i == k then pivot else map2 (\v p -> v - m[i, k]*p) m[i] pivot)
  in map (\r -> r[6]) m

def sample [h][w] (im: [h][w]f64) (y: f64) (x: f64): f64 =
  let y = f64.max 0 (f64.min (f64.i64 h - 1.001) y)
  let x = f64.max 0 (f64.min (f64.i64 w - 1.001) x)
  let (i, j) = (i64.f64 y, i64.f64 x)
  let (b, a) = (y - f64.i64 i, x - f64.i64 j)
  in (1-b)*((1-a)*im[i,j] + a*im[i,j+1]) + b*((1-a)*im[i+1,j] + a*im[i+1,j+1])

entry main [h][w] (iters: i64) (damp: f64) (template: [h][w]f32) (image: [h][w]f32): ([6]f64, [iters]f64) =
  let t = map (map f64.f32) template
  let im = map (map f64.f32) image
  let coord n i = (f64.i64 i - 0.5 * f64.i64 n) / f64.i64 n
  let jac y x: [6]f64 =
    let gx = 0.5 * (t[y, i64.min (w-1) (x+1)] - t[y, i64.max 0 (x-1)])
    let gy = 0.5 * (t[i64.min (h-1) (y+1), x] - t[i64.max 0 (y-1), x])
    let (v, u) = (coord h y, coord w x)
    in [gx, gx*u, gx*v, gy, gy*u, gy*v]
  let hessian =
    map (\i -> map (\j -> f64.sum (map (\q -> let g = jac (q / w) (q % w) in g[i] * g[j]) (iota (h*w)))) (iota 6)) (iota 6)
  let hessian = tabulate_2d 6 6 (\i j -> hessian[i, j] * (if i == j then 1 + damp else 1) + (if i == j then 1 else 0))
  in loop (p, errors) = (replicate 6 0, replicate iters 0) for k < iters do
       let residual = tabulate_2d h w (\y x ->
         let (v, u) = (coord h y, coord w x)
         let dx = p[0] + p[1]*u + p[2]*v
         let dy = p[3] + p[4]*u + p[5]*v
         in t[y, x] - sample im (f64.i64 y + dy) (f64.i64 x + dx))
       let rhs = reduce (map2 (+)) (replicate 6 0) (flatten (tabulate_2d h w (\y x -> map (residual[y, x] *) (jac y x))))
       let error = f64.sum (map (\r -> r*r) (flatten residual)) / f64.i64 (h*w)
       in (map2 (+) p (solve6 hessian rhs), errors with [k] = error)
