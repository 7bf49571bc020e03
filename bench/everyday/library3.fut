-- Written in the style of a library, which library/modules is.
open import "library/modules"

entry mc_stratified_genz (m: i64) (seed: u64) (params: [4]f64) : ([4]f64, [4]f64) =
  let fs : [4]genz = [#oscillatory params[0], #product_peak params[1],
                      #gaussian params[2], #corner params[3]]
  in unzip (map2 (\i g -> strata.integrate (seed + u64.i64 i) m g) (iota 4) fs)

-- Peaceman-Rachford ADI for the heat equation with a variable conductivity.
entry adi_heat_f64 [n][m] (u: [n][m]f64) (kappa: [n][m]f64) (steps: i64) (r: f64) : [n][m]f64 =
  let lap1 [k] (kap: [k]f64) (v: [k]f64) : [k]f64 =
    tabulate k (\i -> let l = if i > 0 then v[i - 1] else 0
                      let h = if i < k - 1 then v[i + 1] else 0
                      in kap[i] * (l - 2 * v[i] + h))
  let implicit [k] (kap: [k]f64) (rhs: [k]f64) : [k]f64 =
    let off = map (\x -> -r * x) kap
    in tri64.thomas off (map (\x -> 1 + 2 * r * x) kap) off rhs
  let explicit [k] (kap: [k]f64) (v: [k]f64) : [k]f64 = map2 (\x l -> x + r * l) v (lap1 kap v)
  let kt = transpose kappa
  in loop u for _i < steps do
       let rhs = map2 explicit kt (transpose u) |> transpose
       let w = map2 implicit kappa rhs
       let rhs = map2 explicit kappa w |> transpose
       in map2 implicit kt rhs |> transpose

entry wave3d_f32 [a][b][c] (u: [a][b][c]f32) (steps: i64) (layer: i64) : ([a][b][c]f32, [a]f32) =
  let v = wave32.run (\i _ k -> if i >= layer then 0.5 else 0.3 + 0.1 * f32.cos (f32.i64 k * 0.2)) steps u
  in (v, map (\s -> f32.sum (map (\r -> f32.sum (map (\x -> x * x) r)) s)) v)

entry gp_posterior_f64 [n][m] (xs: [n]f64) (ys: [n]f64) (qs: [m]f64) (len: f64) (noise: f64) : ([m]f64, [m]f64, f64) =
  let ks : [4](f64, kern f64) =
    [(1.0, #rbf len), (0.5, #matern32 (2 * len)), (0.3, #ratquad len 1.5), (0.2, #periodic 1 (3 * len))]
  let kf = gp64.ksum ks
  let a = tabulate_2d n n (\i j -> kf xs[i] xs[j] + (if i == j then noise else 0))
  let l = gp64.chol a
  let half = gp64.lsolve l ys
  let alpha = gp64.ltsolve l half
  let cross = map (\q -> map (kf q) xs) qs
  let mean = map (\row -> f64.sum (map2 (*) row alpha)) cross
  let var = map (\row -> 2 - f64.sum (map (\x -> x * x) (gp64.lsolve l row))) cross
  let ll = -0.5 * f64.sum (map (\x -> x * x) half) - f64.sum (tabulate n (\i -> f64.log l[i, i]))
  in (mean, var, ll)

-- Many small f64 networks, each on the same data, from different starts.
entry mlp_ensemble_f64 [e][n][d] (xs: [n][d]f64) (w1s: [e][3][d]f64) (steps: i64) : ([e]f64, [n]f64) =
  let ys = map (\x -> f64.sin (f64.sum x)) xs
  let (ps, ls) =
    unzip (map (\w1 -> mlp64.train steps 0.02 xs ys (w1, [0, 0.1, 0.2], [0.3, -0.2, 0.5])) w1s)
  let pred = map (\x -> f64.sum (map (\p -> mlp64.forward p x) ps) / f64.i64 e) xs
  in (ls, pred)

entry hmm_viterbi_and_likelihood [b][t][k][m] (obs: [b][t]u8) (trans: [k][k]f64) (em: [k][m]f64) : ([b]f64, [b]f64) =
  let norm [q] (r: [q]f64) = let s = f64.sum r in map (\x -> f64.log (x / s)) r
  let lt = map norm trans
  let le = map norm em
  let init = replicate k (-f64.log (f64.i64 k))
  let os = map (map (\o -> i64.u8 o % m)) obs
  let emit j o = le[j, o]
  in (map (hmm_viterbi.forward init lt emit) os, map (hmm_log.forward init lt emit) os)

entry segmented_reports [n] (xs: [n]f64) (keys: [n]u8) (alpha: f64) : ([]f64, []f64, []i32, [n]f64) =
  let fs = map2 (\i k -> i == 0 || k < 10) (iota n) keys
  let (ms, vs) = map (\(c, m, s) -> (m, s / c)) (seg_welford.reduce fs (map (\x -> (1, x, 0)) xs)) |> unzip
  let rs = seg_runs.reduce fs (map (\x -> let b = i32.bool (x > 0) in {best = b, pre = b, suf = b, len = 1}) xs)
  -- exponential smoothing that restarts in each segment
  let sm = seg_affine.scan fs (map (\x -> (1 - alpha, alpha * x)) xs) |> map (.1)
  in (ms, vs, map (.best) rs, sm)

entry gmres_batch_f32 [q][n] (as: [q][n][n]f32) (bs: [q][n]f32) (m: i64) : ([q][n]f32, [q]f32) =
  let solve (a: [n][n]f32) (b: [n]f32) =
    let op x = map2 (\i r -> 2 * x[i] + (loop s = 0 for j < n do s + r[j] * x[j]) / f32.sqrt (f32.i64 n)) (iota n) a
    in krylov32.gmres op m b
  in unzip (map2 solve as bs)

entry holt_winters_grid_f64 [b][n] (xs: [b][n]f64) (g: i64) (period: i64) : ([b][3]f64, [b]i64) =
  let al i = 0.05 + 0.5 * f64.i64 i / f64.i64 g
  let models : []model =
    (tabulate g (\i -> #simple (al i)) : [g]model)
    ++ flatten (tabulate_2d g g (\i j -> #trend (al i) (al j)))
    ++ flatten_3d (tabulate_3d g g g (\i j k -> #seasonal (al i) (al j) (al k)))
  let one x =
    let x = map2 (\i v -> v + f64.sin (2 * f64.pi * f64.i64 i / f64.i64 period) + 0.01 * f64.i64 i) (iota n) x
    let es = map (\m -> smoothing.sse period m x) models
    let best = f64.minimum es
    let soft = map (\e -> f64.exp (-50 * (e - best))) es
    let tot = f64.sum soft
    in ([best, f64.sum (map2 (*) soft es) / tot, f64.sum es / f64.i64 (length es)],
        i64.sum (map (\e -> i64.bool (e > 1e6)) es))
  in unzip (map one xs)
