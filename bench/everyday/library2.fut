-- Written in the style of a library, which library/modules is.
open import "library/modules"

entry mc_asian_antithetic_f32 (paths: i64) (steps: i64) (s0: f32) (strike: f32) (vol: f32) (seed: u64) : [2]f32 =
  asian32.price seed paths steps s0 strike vol

entry sde_two_models (paths: i64) (outs: i64) (per: i64) (seed: u64)
  : ([outs]f32, [outs]f32, [outs]f64, [outs]f64) =
  let (a, b) = cir32.ensemble seed paths outs per 0.01 0.9
  let (c, d) = sinewell64.ensemble seed paths outs per 0.02 1.1
  in (a, b, c, d)

entry multigrid_poisson_f64 [n] (f: [n][n]f64) (cycles: i64) : ([n][n]f64, f64) =
  let h = 1 / f64.i64 (n + 1)
  let h2 = h * h
  let u =
    loop u = replicate n (replicate n 0) for _i < cycles do
      map2 (map2 (+)) u (mg5.solve h2 (mg_ops64.residual h2 f u))
  let r = mg_ops64.residual h2 f u
  in (u, f64.sqrt (h2 * f64.sum (map (\row -> f64.sum (map (\x -> x * x) row)) r)))

entry particle_filter_sv_f64 [t] (ys: [t]f64) (n: i64) (seed: u64) : ([t]f64, f64) =
  pf64.run n seed 0.95 0.2 ys

entry mlp_adam_f32 [n][d][h] (xs: [n][d]f32) (ys: [n]f32) (w1: [h][d]f32) (w2: [h]f32) (steps: i64) (lr: f32)
  : ([h][d]f32, [h]f32, [h]f32, f32) =
  let ((a, b, c), l) = mlp32.train steps lr xs ys (w1, replicate h 0.1, w2)
  in (a, b, c, l)

-- Bellman-Ford and the number of walks, in one sweep over the edges.
entry edges_paths_and_walks [e] (n: i64) (src: [e]i32) (dst: [e]i32) (w: [e]f32) (hops: i64) : ([n]f32, [n]u64) =
  let fix (v: i32) = wrap n (i64.i32 v)
  let s = map fix src
  let d = map fix dst
  let ws = map (\x -> (x, 1u64)) w
  let x0 = tabulate n (\i -> if i == 0 then (0f32, 1u64) else (1e30, 0))
  in unzip (loop x = x0 for _i < hops do
              map2 (\(a, _) (b, c) -> (f32.min a b, c)) x (graph_both.vecedges s d ws x))

entry regex_scan_matches [n] (text: [n]u8) : ([n]bool, i64, i64, []i64) =
  let a = abccd.matches text
  let b = mod7.matches text
  let both = filter (\i -> a[i] && b[i]) (iota n)
  in (a, i64.sum (map i64.bool a), i64.sum (map i64.bool b), both)

-- Jacobi-preconditioned CG on a variable-coefficient grid, no matrix.
entry cg_grid_f64 [n][m] (k: [n][m]f64) (b: [n][m]f64) (iters: i64) : ([n][m]f64, f64) =
  let diag = map (map (\c -> 4 * c + 0.1)) k
  let op (x: [n * m]f64) : [n * m]f64 =
    let u = unflatten x
    let at i j = if i >= 0 && i < n && j >= 0 && j < m then f64.sqrt k[i, j] * u[i, j] else 0
    in tabulate_2d n m (\i j -> diag[i, j] * u[i, j]
                                - f64.sqrt k[i, j] * (at (i - 1) j + at (i + 1) j + at i (j - 1) + at i (j + 1)))
       |> flatten
  let (x, r) = krylov64.cg op (map (1 /) (flatten diag)) iters (flatten b)
  in (unflatten x, r)

-- ARI(p, 1): difference, fit, forecast and sum back.
entry ari_forecast_f32 [b][n] (xs: [b][n]f32) (p: i64) (h: i64) : ([b][p]f32, [b]f32, [b][h]f32) =
  let one (x: [n]f32) =
    let ds = tabulate (n - 1) (\i -> x[i + 1] - x[i])
    let (a, v, mu) = ar32.fit p ds
    let f = ar32.forecast h mu a ds
    in (a, v, map (+ x[n - 1]) (scan (+) 0 f))
  in unzip3 (map one xs)

-- Dead reckoning: orientations by a scan of products, positions by a scan of steps.
entry dead_reckoning_f64 [b][n] (gyro: [b][n][3]f64) (dt: f64) (speed: f64) : ([b][n][3]f64, [b][4]f64) =
  let one (ws: [n][3]f64) =
    let qs = scan quat64.mul quat64.one (map (\w -> quat64.exp (v3d.scale (0.5 * dt) (v3d.of_arr w))) ws)
    let steps = map (\q -> quat64.act (quat64.unit q) {x = speed * dt, y = 0, z = 0}) qs
    let ps = scan v3d.add v3d.zero steps
    let q = quat64.unit (last qs)
    in (map v3d.to_arr ps, [q.s, q.v.x, q.v.y, q.v.z])
  in unzip (map one gyro)
