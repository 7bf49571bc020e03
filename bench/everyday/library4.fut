-- Written in the style of a library, which library/modules is.
open import "library/modules"

entry bootstrap_trimmed_ci [n] (xs: [n]f64) (reps: i64) (seed: u64) (level: f64) : [4]f64 =
  let stat r =
    let (s, q) =
      loop (s, q) = (0, 0) for i < n do
        let x = xs[boot.below (seed + u64.i64 r) (u64.i64 i) n]
        let x = f64.max (-3) (f64.min 3 x)
        in (s + x, q + x * x)
    let mean = s / f64.i64 n
    in mean / f64.sqrt (q / f64.i64 n - mean * mean + 0.05)
  let ts = bitonic (<=) f64.highest (tabulate reps stat)
  let at p = let i = p * f64.i64 (reps - 1)
             let k = clampi 0 (reps - 1) (i64.f64 (f64.floor i))
             let f = i - f64.i64 k
             in ts[k] * (1 - f) + ts[i64.min (reps - 1) (k + 1)] * f
  in [at (0.5 - level / 2), at 0.5, at (0.5 + level / 2), f64.sum ts / f64.i64 reps]

-- Crank-Nicolson for the Schroedinger equation, one potential a row.
entry schrodinger_cn_f64 [b][n] (pot: [b][n]f64) (k0: f64) (dt: f64) (steps: i64) : ([b][n]f64, [b]f64) =
  let dx = 20 / f64.i64 n
  let psi0 = tabulate n (\i -> let x = f64.i64 i * dx - 6
                               in c64.scale (f64.exp (-x * x / 2)) (c64.cis (k0 * x)))
  let lam = dt / (4 * dx * dx)
  let run (v: [n]f64) : [n]c64.t =
    let off = replicate n (c64.mk 0 (-lam))
    let diag = map (\p -> c64.mk 1 (2 * lam + dt * p / 2)) v
    in loop psi = psi0 for _i < steps do
         let rhs =
           tabulate n (\i ->
             let l = if i > 0 then psi[i - 1] else c64.zero
             let h = if i < n - 1 then psi[i + 1] else c64.zero
             in c64.add (c64.mul (c64.conj diag[i]) psi[i])
                        (c64.mul (c64.mk 0 lam) (c64.add l h)))
         in tric64.thomas off diag off rhs
  let dens = map (\v -> map c64.norm2 (run v)) pot
  in (dens, map (\d -> dx * f64.sum d) dens)

entry nbody_plummer_f32 [n] (ps: [n][3]f32) (ms: [n]f32) (steps: i64) (dt: f32) : ([n][3]f32, [n]f32) =
  let total = f32.sum ms
  let ms = map (/ total) ms
  let ps = map v3f.of_arr ps
  let law d2 = let s = d2 + 0.05 in 1 / (s * f32.sqrt s)
  let vs = map (\p -> v3f.scale 0.3 (v3f.cross p {x = 0, y = 0, z = 1})) ps
  let (ps, vs) = nbody32.leapfrog law dt steps ms ps vs
  in (map v3f.to_arr ps, map (\v -> 0.5 * v3f.dot v v) vs)

entry em_mixture_f32 [n] (xs: [n]f32) (k: i64) (iters: i64) : ([k]f32, [k]f32, [k]f32, f32) =
  let init = tabulate k (\i -> {w = 1 / f32.i64 k, mu = -2 + 4 * (f32.i64 i + 0.5) / f32.i64 k, var = 0.5f32})
  let (cs, ll) = loop (cs, _) = (init, 0f32) for _i < iters do em32.step xs cs
  in (map (.w) cs, map (.mu) cs, map (.var) cs, ll)

-- Softmax regression with Nesterov's momentum.
entry softmax_nesterov_f64 [n][d] (xs: [n][d]f64) (labels: [n]i32) (c: i64) (steps: i64) (lr: f64) : ([c][d]f64, f64) =
  let nll (w: [c][d]f64) : f64 =
    let one x (l: i32) =
      let s = map (\r -> f64.sum (map2 (*) r x)) w
      let top = f64.maximum s
      in top + f64.log (f64.sum (map (\v -> f64.exp (v - top)) s)) - s[i64.i32 l % c]
    in f64.sum (map2 one xs labels) / f64.i64 n
       + 0.01 * f64.sum (map (\r -> f64.sum (map (\v -> v * v) r)) w)
  let zero = replicate c (replicate d 0f64)
  let (w, _) =
    loop (w, v) = (zero, zero) for _i < steps do
      let g = vjp nll (map2 (map2 (\a b -> a + 0.9 * b)) w v) 1
      let v = map2 (map2 (\b q -> 0.9 * b - lr * q)) v g
      in (map2 (map2 (+)) w v, v)
  in (w, nll w)

entry align_best_and_partition [b][n][m] (xs: [b][n]u8) (ys: [b][m]u8) (gap: f64) : ([b]f64, [b]f64) =
  let sub (a: u8) (c: u8) = if a % 4 == c % 4 then 1 else -0.7f64
  in (map2 (align_best.global sub gap) xs ys, map2 (align_all.global sub gap) xs ys)

entry ntt_polymul [a][b] (xs: [a]u32) (ys: [b]u32) : []u32 =
  let lift [n] (v: [n]u32) : [n]u64 = map (\x -> u64.u32 x % 998244353) v
  in map u32.u64 (ntt.polymul (lift xs) (lift ys))

entry eigen_batch_f32 [b][n] (as: [b][n][n]f32) (sweeps: i64) : ([b][n]f32, [b]f32) =
  let sym (a: [n][n]f32) = tabulate_2d n n (\i j -> 0.5 * (a[i, j] + a[j, i]))
  let ev = map (\a -> jacobi32.eigenvalues sweeps (sym a)) as
  in (ev, map (\e -> e[n - 1] - e[0]) ev)

entry image_warps_f64 [h][w] (img: [h][w]f64) (angle: f64) (k: f64) (reps: i64) : [h][w]f64 =
  let f = image64.rotate angle >-> image64.swirl k 40 >-> image64.ripple 1.5 9 >-> image64.zoom 0.97
  in loop img for _i < reps do image64.warp f img
