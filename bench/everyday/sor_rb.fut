-- Red-black over-relaxation for a diffusion equation with variable coefficients and fixed cells, in double precision, residual norm after each sweep.
def harmonic (a: f64) (b: f64): f64 = 2 * a * b / (a + b)

type stencil = { c: f64, n: f64, s: f64, e: f64, w: f64 }

def coefficients [h][w] (k: [h][w]f64) (y: i64) (x: i64): stencil =
  let face y' x' = if y' < 0 || y' >= h || x' < 0 || x' >= w then k[y, x] else harmonic k[y, x] k[y', x']
  let (n, s, e, w') = (face (y - 1) x, face (y + 1) x, face y (x + 1), face y (x - 1))
  in { c = n + s + e + w', n, s, e, w = w' }

def residual_at [h][w] (k: [h][w]f64) (f: [h][w]f64) (u: [h][w]f64) (y: i64) (x: i64): (f64, f64) =
  let at y x = if y < 0 || y >= h || x < 0 || x >= w then 0 else u[y, x]
  let a = coefficients k y x
  let r = f[y, x] + a.n * at (y - 1) x + a.s * at (y + 1) x + a.e * at y (x + 1) + a.w * at y (x - 1) - a.c * u[y, x]
  in (r, a.c)

entry main [h][w] (sweeps: i64) (omega: f64) (kappa: [h][w]f64) (f: [h][w]f64) (walls: [h][w]u8): ([h][w]f64, [sweeps]f64) =
  let fixed = map (map (>= 200)) walls
  let k = map (map (+ 0.1)) kappa
  let half (colour: i64) (u: [h][w]f64): [h][w]f64 =
    tabulate_2d h w (\y x ->
      if (y + x) % 2 != colour || fixed[y, x] then u[y, x]
      else let (r, c) = residual_at k f u y x
           in u[y, x] + omega * r / c)
  let start = map2 (map2 (\t v -> if t then v else 0)) fixed f
  in loop (u, norms) = (start, replicate sweeps 0) for i < sweeps do
       let u = u |> half 0 |> half 1
       let squares = tabulate_2d h w (\y x -> if fixed[y, x] then 0 else let (r, _) = residual_at k f u y x in r * r)
       in (u, norms with [i] = f64.sqrt (f64.sum (flatten squares) / f64.i64 (h * w)))
