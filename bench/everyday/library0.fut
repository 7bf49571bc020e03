-- Written in the style of a library, which library/modules is.
open import "library/modules"

entry sort_by_angle [n] (xs: [n]i32) (ys: [n]i32) : ([n]i64, i64) =
  let pad = {x = 0i32, y = 0i32, id = i64.highest}
  let ps = map3 (\x y id -> {x, y, id}) xs ys (iota n)
  let s = bitonic angle_leq pad ps
  -- twice the area of the star-shaped polygon in that order
  let area =
    i64.sum (tabulate n (\i ->
               let p = s[i]
               let q = s[wrap n (i + 1)]
               in i64.i32 p.x * i64.i32 q.y - i64.i32 p.y * i64.i32 q.x))
  in (map (.id) s, area)

entry ode_vdp_adaptive_f64 [n] (mus: [n]f64) (x0: [n]f64) (tend: f64) (tol: f64) : ([n]f64, [n]f64) =
  unzip (map2 (\mu x ->
           rk_pair64.adaptive (\_ (p, q) -> (q, mu * (1 - p * p) * q - p)) tol tend (x, 0))
         mus x0)

-- Exact advection-diffusion on the torus, on the largest power-of-two square.
entry spectral_advect_f32 [n][m] (u: [n][m]f32) (nu: f32) (cx: f32) (cy: f32) (t: f32) : [][]f32 =
  let k = 1 << floor_log2 (i64.min n m)
  let u = tabulate_2d k k (\i j -> c32.mk u[i, j] 0)
  let uh = fft32.fft2 u
  let vh =
    tabulate_2d k k (\i j ->
      let (a, b) = (fft32.freq k i, fft32.freq k j)
      let g = f32.exp (-nu * (a * a + b * b) * t)
      in c32.mul uh[i, j] (c32.scale g (c32.cis (-(cx * a + cy * b) * t))))
  in map (map (.re)) (fft32.ifft2 vh)

entry det_two_fields [b][n] (as: [b][n][n]i32) : ([b]u64, [b]f64) =
  let lift (x: i32) : u64 = u64.i32 (((x % 65537) + 65537) % 65537)
  let dominant (a: [n][n]i32) =
    tabulate_2d n n (\i j -> (if i == j then 1.5 else 0) + 0.05 * f64.i32 (a[i, j] % 7) / f64.i64 n)
  in (map (\a -> smatp.det (map (map lift) a)) as,
      map (\a -> smat64.det (dominant a)) as)

entry fuzzy_cmeans_f64 [n][d][k] (xs: [n][d]f64) (cs: [k][d]f64) (iters: i64) : ([k][d]f64, [k]f64) =
  let cs = loop cs for _i < iters do fcm64.step xs cs
  in (cs, map (\c -> f64.sum (map (\x -> 1 / (1 + l2sq_f64.dist c x)) xs)) cs)

entry apsp_minplus_f32 [n] (w: [n][n]f32) (mask: [n][n]bool) : ([n][n]f32, f32) =
  let a = tabulate_2d n n (\i j -> if i == j then 0 else if mask[i, j] then w[i, j] else 1e30)
  let d = graph_minplus.warshall a
  in (d, f32.maximum (map f32.maximum d))

entry newton_dual_f32 [n][m] (cs: [n][m]f32) (x0: [n]f32) (iters: i64) : ([n]f32, [n]f32) =
  let one c x =
    let x = loop x for _i < iters do
              let y = poly_du.horner c (du32.var x)
              in x - 0.5 * y.v * y.d / (y.d * y.d + 1)
    in (x, (poly_du.horner c (du32.var x)).v)
  in unzip (map2 one cs x0)

entry bigint_accumulate_scan [n] (xs: [n][1024]u32) (reps: i64) : ([n]u64, [1024]u32) =
  let grow (x: [1024]u32) : big32k.t =
    loop a = (x :> [thousand.limbs]u32) for _i < reps do
      big32k.add_scan a (rotate 1 a)
  let ys = map grow xs
  let h = map (\y -> reduce (^) 0 (map2 (\i v -> (u64.u32 v + 1) * (2 * u64.i64 i + 1)) (indices y) y)) ys
  in (h, map (reduce (^) 0) (transpose ys) :> [1024]u32)

entry quad_adaptive_f64 [n] (sharp: [n]f64) (centre: [n]f64) (tol: f64) (depth: i64) : [n]f64 =
  map2 (\s c -> quad64.adaptive depth tol (\x -> 1 / (1 + s * (x - c) * (x - c)) + f64.sin (3 * x)) 0 1)
       sharp centre

entry strided_contractions_f32 [n][m] (xs: [n]f32) (ker: [m]f32) (cols: i64) : ([][]f32, [][]f32) =
  let cols = clampi 1 m cols
  let k = m / cols
  let kv = strided.of_flat ker k cols
  let conv = strided.contract (strided.every 2 (strided.unfold (i64.min n k) xs)) kv
  let gram = strided.contract (strided.transp kv) (strided.flip kv)
  in (conv, map (map (* 0.5)) gram)
