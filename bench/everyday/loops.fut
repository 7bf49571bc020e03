-- Sequential outer loops around parallel work.
-- ==
-- entry: cg_dense cg_csr power_iter jacobi logreg_gd adam_linreg wave1d kmeans particle_filter anneal_chains floyd_warshall edit_distance knapsack viterbi hmm_forward redblack euler_network metropolis gram_schmidt slice_stats pagerank bellman_ford lu_pivot

-- ---------------------------------------------------------------- helpers

def dot32 [n] (x: [n]f32) (y: [n]f32) : f32 = f32.sum (map2 (*) x y)
def dot64 [n] (x: [n]f64) (y: [n]f64) : f64 = reduce (+) 0 (map2 (*) x y)
def matvec32 [n][m] (a: [n][m]f32) (x: [m]f32) : [n]f32 = map (dot32 x) a

def iota_i32 (n: i64) : [n]i32 = map i32.i64 (iota n)

-- Always in [0,m), also for negative inputs.
def wrap (m: i64) (x: i32) : i64 = i64.i32 x % m

def hash (x: u32) : u32 =
  let x = ((x >> 16) ^ x) * 0x45d9f3b
  let x = ((x >> 16) ^ x) * 0x45d9f3b
  in (x >> 16) ^ x

def next_rng (s: u32) : u32 = s * 1664525 + 1013904223
def unit_f32 (s: u32) : f32 = f32.u32 (hash s >> 8) / 16777216
def unit_f64 (s: u32) : f64 = f64.u32 (hash s) / 4294967296

def argmin_f32 [n] (xs: [n]f32) : (f32, i64) =
  reduce_comm (\(a, i) (b, j) ->
                 if a < b then (a, i)
                 else if b < a then (b, j)
                 else (a, i64.min i j))
              (f32.inf, i64.highest)
              (zip xs (indices xs))

def argmax_f32 [n] (xs: [n]f32) : (f32, i64) =
  reduce_comm (\(a, i) (b, j) ->
                 if a > b then (a, i)
                 else if b > a then (b, j)
                 else (a, i64.min i j))
              (-f32.inf, i64.highest)
              (zip xs (indices xs))

-- ---------------------------------------------------------------- CG, dense

entry cg_dense [n] (a0: [n][n]f32) (b: [n]f32) : ([n]f32, f32) =
  let shift = f32.sqrt (f32.i64 n)
  let a = tabulate_2d n n (\i j -> 0.5 * (a0[i, j] + a0[j, i])
                                   + if i == j then shift else 0)
  let x0 = replicate n 0f32
  let (x, _, _, rs) =
    loop (x, r, p, rs) = (x0, copy b, copy b, dot32 b b)
    for _i < 60 do
      let ap = matvec32 a p
      let pap = dot32 p ap
      let alpha = if pap > 1e-20 then rs / pap else 0
      let x = map2 (\xi pi -> xi + alpha * pi) x p
      let r = map2 (\ri api -> ri - alpha * api) r ap
      let rs' = dot32 r r
      let beta = if rs > 1e-20 then rs' / rs else 0
      let p = map2 (\ri pi -> ri + beta * pi) r p
      in (x, r, p, rs')
  -- Below this the residual is only rounding.
  in (x, f32.max 1e-3 (f32.sqrt rs))

-- ---------------------------------------------------------------- CG, CSR

type csr [n][nnz] = {row: [nnz]i64, ptr: [n+1]i64, col: [nnz]i64, coef: [nnz]f64}

def spmv [n][nnz] (m: csr [n][nnz]) (x: [n]f64) : [n]f64 =
  tabulate n (\i ->
    loop acc = 0 for k in m.ptr[i]..<m.ptr[i+1] do
      acc + m.coef[k] * x[m.col[k]])

def spmv_t [n][nnz] (m: csr [n][nnz]) (x: [n]f64) : [n]f64 =
  reduce_by_index (replicate n 0) (+) 0 m.col
                  (map2 (\v i -> v * x[i]) m.coef m.row)

-- Solves (B^T B + I) x = b, with B in CSR form with irregular rows.
entry cg_csr [n][nnz] (lens: [n]i32) (cols: [nnz]i32) (vals: [nnz]f64) (b: [n]f64) : ([n]f64, i32) =
  let avg = i64.max 1 (nnz / n)
  let want = map (\l -> 1 + wrap (2 * avg - 1) l) lens
  let ends = map (i64.min nnz) (scan (+) 0 want)
  let ptr = tabulate (n + 1) (\i -> if i == 0 then 0 else ends[i-1])
  let bounds = reduce_by_index (replicate nnz 0i64) (+) 0 ends (replicate n 1)
  let row = map (i64.min (n-1)) (scan (+) 0 bounds)
  let used = ptr[n]
  let coef = map2 (\k v -> if k < used then v - 0.5 else 0) (indices vals) vals
  let m : csr [n][nnz] = {row, ptr, col = map (wrap n) cols, coef}
  let apply p = map2 (+) p (spmv_t m (spmv m p))
  let st0 = {x = replicate n 0f64, r = copy b, p = copy b, rs = dot64 b b, it = 0i32}
  let st =
    loop s = st0 while s.rs > 1e-14 && s.it < 80 do
      let q = apply s.p
      let alpha = s.rs / dot64 s.p q
      let x = map2 (\x p -> x + alpha * p) s.x s.p
      let r = map2 (\r q -> r - alpha * q) s.r q
      let rs = dot64 r r
      let p = map2 (\r p -> r + (rs / s.rs) * p) r s.p
      in {x, r, p, rs, it = s.it + 1}
  in (st.x, if st.it < 80 then 1 else 0)

-- ---------------------------------------------------------------- power iteration

entry power_iter [n] (a: [n][n]f32) : (f32, [n]f32) =
  -- Weaken the dominant direction, so that it takes a few more steps.
  let a = tabulate_2d n n (\i j -> 0.5 * (a[i,j] + a[j,i]) - 0.48
                                   + if i == j then 0.5 * f32.sqrt (f32.i64 n) else 0)
  let v0 = replicate n (1 / f32.sqrt (f32.i64 n))
  let (lam, v, _, _) =
    loop (_, v, delta, it) = (0f32, v0, 1f32, 0i32)
    while delta > 1e-5 && it < 200 do
      let w = matvec32 a v
      let nrm = f32.sqrt (dot32 w w) + 1e-20
      let v' = map (/ nrm) w
      let lam' = dot32 v w
      let delta = f32.maximum (map2 (\x y -> f32.abs (x - y)) v v')
      in (lam', v', delta, it + 1)
  in (lam, v)

-- ---------------------------------------------------------------- Jacobi

entry jacobi [n] (a: [n][n]f64) (b: [n]f64) : ([n]f64, f64) =
  let diag = map (\row -> 1.0 + 0.6 * f64.sum row) a
  let (x, res, _) =
    loop (x, res, it) = (replicate n 0f64, f64.highest, 0i32)
    while res > 1e-9 && it < 200 do
      let s = map3 (\row i xi -> dot64 row x - row[i] * xi) a (iota n) x
      let x' = map3 (\bi si di -> 0.4 * (bi - si) / di) b s diag
      let res = f64.maximum (map2 (\u v -> f64.abs (u - v)) x x')
      in (x', res, it + 1)
  in (x, if res <= 1e-9 then 1 else 0)

-- ---------------------------------------------------------------- logistic regression

def sigmoid (t: f32) : f32 = 1 / (1 + f32.exp (-t))

entry logreg_gd [n][d] (xs: [n][d]f32) (lab: [n]i32) : ([d]f32, f32, [100]f32) =
  let steps = 100i64
  let ys = map (\l -> f32.i32 (l & 1)) lab
  let rate = 0.5f32
  let (w, b, losses) =
    loop (w, b, losses) = (replicate d 0f32, 0f32, replicate steps 0f32)
    for i < steps do
      let z = map (\x -> dot32 x w + b) xs
      let p = map sigmoid z
      let err = map2 (-) p ys
      let gw = map (\col -> dot32 col err / f32.i64 n) (transpose xs)
      let gb = f32.sum err / f32.i64 n
      let loss = f32.sum (map2 (\pi yi ->
                                  let q = f32.max 1e-6 (f32.min (1 - 1e-6) pi)
                                  in - (yi * f32.log q + (1 - yi) * f32.log (1 - q))) p ys)
                 / f32.i64 n
      let w = map2 (\wi gi -> wi - rate * (gi + 1e-4 * wi)) w gw
      in (w, b - rate * gb, losses with [i] = loss)
  in (w, b, losses)

-- ---------------------------------------------------------------- Adam

type adam [d] = {theta: [d]f32, m: [d]f32, v: [d]f32, b1t: f32, b2t: f32}

def adam_step [d] (lr: f32) (s: adam [d]) (g: [d]f32) : adam [d] =
  let b1 = 0.9
  let b2 = 0.999
  let b1t = s.b1t * b1
  let b2t = s.b2t * b2
  let m = map2 (\m g -> b1 * m + (1 - b1) * g) s.m g
  let v = map2 (\v g -> b2 * v + (1 - b2) * g * g) s.v g
  let theta = map3 (\t m v ->
                      let mh = m / (1 - b1t)
                      let vh = v / (1 - b2t)
                      in t - lr * mh / (f32.sqrt vh + 1e-4))
                   s.theta m v
  in {theta, m, v, b1t, b2t}

entry adam_linreg [n][d] (xs: [n][d]f32) (ys: [n]f32) (steps: i32) : ([d]f32, f32, f32) =
  let steps = 50 + steps % 100
  let mse th = f32.sum (map2 (\x y -> let e = dot32 x th - y in e * e) xs ys) / f32.i64 n
  let init : adam [d] = {theta = replicate d 0, m = replicate d 0, v = replicate d 0, b1t = 1, b2t = 1}
  let (s, best) =
    loop (s, best) = (init, f32.highest) for i < steps do
      let e = map2 (\x y -> dot32 x s.theta - y) xs ys
      let l = f32.sum (map (\t -> t * t) e) / f32.i64 n
      let g = map (\c -> 2 * dot32 c e / f32.i64 n) (transpose xs)
      let lr = 0.01 / (1 + 0.01 * f32.i32 i)
      in (adam_step lr s g, f32.min best l)
  in (s.theta, best, mse s.theta)

-- ---------------------------------------------------------------- wave equation

entry wave1d [n] (vel: [n]f32) (src: []f32) (rec: i32) : ([n]f32, []f32, f32) =
  let steps = length src
  let c2 = map (\v -> let c = 0.3 + 0.6 * v in c * c) vel
  let pos = n / 3
  let at = wrap n rec
  let (_, u, trace, peak) =
    loop (prev, cur, trace, peak) = (replicate n 0f32, replicate n 0f32, replicate steps 0f32, 0f32)
    for t < steps do
      let nxt = tabulate n (\i ->
                  if i == 0 || i == n - 1 then 0
                  else let lap = cur[i-1] - 2 * cur[i] + cur[i+1]
                       in 2 * cur[i] - prev[i] - 0.01 * (cur[i] - prev[i]) + c2[i] * lap)
      let nxt = nxt with [pos] = nxt[pos] + (src[t] - 0.5)
      let amp = reduce_comm f32.max 0 (map f32.abs nxt)
      in (cur, nxt, trace with [t] = nxt[at], f32.max peak amp)
  in (u, trace, peak)

-- ---------------------------------------------------------------- k-means

entry kmeans [n][d] (pts: [n][d]f64) (kk: i32) : ([][]f64, []i64, i64) =
  let k = i64.min n (i64.i32 (4 + kk % 29))
  let dist2 p c = f64.sum (map2 (\a b -> (a - b) * (a - b)) p c)
  let nearest (cs: [k][d]f64) (p: [d]f64) =
    (loop (best, bi) = (f64.inf, 0i64) for j < k do
       let t = dist2 p cs[j]
       in if t < best then (t, j) else (best, bi)).1
  let (cs, lab, _, _) =
    loop (cs, lab, changed, it) = (take k pts, replicate n (-1i64), n, 0i32)
    while changed > 0 && it < 60 do
      let lab' = map (nearest cs) pts
      let changed = i64.sum (map2 (\a b -> i64.bool (a != b)) lab lab')
      let cnt = hist (+) 0 k lab' (replicate n 1i64)
      let sums = reduce_by_index (replicate k (replicate d 0f64))
                                 (map2 (+)) (replicate d 0) lab' pts
      let cs' = map3 (\s c old -> if c == 0 then old else map (/ f64.i64 c) s) sums cnt cs
      in (cs', lab', changed, it + 1)
  in (cs, hist (+) 0 k lab (replicate n 1i64), k)

-- ---------------------------------------------------------------- particle filter

def lower_bound [n] (xs: [n]f64) (x: f64) : i64 =
  (loop (lo, hi) = (0, n - 1) while lo < hi do
     let mid = (lo + hi) / 2
     in if xs[mid] < x then (mid + 1, hi) else (lo, mid)).0

entry particle_filter [n][t] (init: [n]f64) (obs: [t]f64) (seed: i32) : ([t]f64, [t]f64) =
  let (_, _, means, esss) =
    loop (ps, rngs, means, esss) =
      (map (\x -> 4 * x - 2) init,
       tabulate n (\i -> hash (u32.i32 seed + u32.i64 i)),
       replicate t 0f64, replicate t 0f64)
    for k < t do
      let rngs = map next_rng rngs
      let moved = map2 (\p s -> 0.9 * p + 0.4 * (unit_f64 s - 0.5)) ps rngs
      let o = 2 * obs[k] - 1
      let lik = map (\p -> f64.exp (-0.5 * (p - o) * (p - o) / 0.25) + 1e-9) moved
      let (tot, sq) = reduce_comm (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
                                  (map (\w -> (w, w * w)) lik)
      let mean = f64.sum (map2 (*) lik moved) / tot
      let cdf = scan (+) 0 (map (/ tot) lik)
      let u0 = unit_f64 (u32.i32 seed ^ u32.i64 (k * 7919))
      let ps' = tabulate n (\i -> moved[lower_bound cdf ((f64.i64 i + u0) / f64.i64 n)])
      in (ps', rngs, means with [k] = mean, esss with [k] = tot * tot / sq)
  in (means, esss)

-- ---------------------------------------------------------------- annealing

type chain = {x: f32, y: f32, e: f32, best: f32, rng: u32}

def energy (x: f32) (y: f32) : f32 =
  let r a = a * a - f32.cos (6.2831853 * a)
  in 2 + r x + r y

entry anneal_chains [m] (xs: [m]f32) (ys: [m]f32) (steps: i32) : (f32, i64, f32, [m]f32) =
  let steps = 100 + steps % 400
  let start : [m]chain =
    map3 (\i x y ->
            let x = 8 * x - 4
            let y = 8 * y - 4
            let e = energy x y
            in {x, y, e, best = e, rng = hash (u32.i64 i + 17)})
         (iota m) xs ys
  let (cs, _, glob) =
    loop (cs, temp, glob) = (start, 5f32, f32.highest) for _i < steps do
      let step (c: chain) : chain =
        let r1 = next_rng c.rng
        let r2 = next_rng r1
        let r3 = next_rng r2
        let x = f32.max (-4) (f32.min 4 (c.x + 0.5 * (unit_f32 r1 - 0.5)))
        let y = f32.max (-4) (f32.min 4 (c.y + 0.5 * (unit_f32 r2 - 0.5)))
        let e = energy x y
        in if e < c.e || unit_f32 r3 < f32.exp ((c.e - e) / temp)
           then {x, y, e, best = f32.min e c.best, rng = r3}
           else c with rng = r3
      let cs = map step cs
      let low = f32.minimum (map (.best) cs)
      in (cs, temp * 0.99 + 0.001, f32.min glob low)
  let (e, i) = argmin_f32 (map (.best) cs)
  in (e, i, glob, map (.best) cs)

-- ---------------------------------------------------------------- Floyd-Warshall

entry floyd_warshall [n] (w: [n][n]i32) : ([n][n]i32, i32, i64) =
  let inf = 1000000i32
  let d0 = tabulate_2d n n (\i j ->
             if i == j then 0
             else if w[i,j] % 4 == 0 then 1 + (w[i,j] >> 3) % 1000
             else inf)
  let d =
    loop d = d0 for k < n do
      let rowk = d[k]
      let colk = d[:, k]
      in map2 (\row dik -> map2 (\dij dkj -> i32.min dij (dik + dkj)) row rowk) d colk
  let reach = map (map (\x -> if x < inf then x else 0)) d
  in (d, reduce i32.max 0 (flatten reach), i64.sum (map i64.i32 (flatten reach)))

-- ---------------------------------------------------------------- edit distance

entry edit_distance [n][m] (a: [n]i32) (b: [m]i32) : (i32, i32) =
  let a = map (% 4) a
  let b = map (% 4) b
  -- Diagonal k holds cells (i, k-i), indexed by i in 0..n.
  let size = n + 1
  let big = i32.i64 (n + m + 1)
  let (_, last, low) =
    loop (d2, d1, low) = (replicate size big, replicate size big with [0] = 0, big)
    for k in 1...n + m do
      let cur = tabulate size (\i ->
        let j = k - i
        in if j < 0 || j > m then big
           else if i == 0 then i32.i64 j
           else if j == 0 then i32.i64 i
           else let sub = d2[i-1] + i32.bool (a[i-1] != b[j-1])
                in i32.min sub (1 + i32.min d1[i-1] d1[i]))
      let low = if k % 64 == 0 then i32.min low (i32.minimum cur + i32.i64 (k % 7)) else low
      in (d1, cur, low)
  in (last[n], low)

-- ---------------------------------------------------------------- knapsack

entry knapsack [n] (ws: [n]i32) (vs: [n]i32) (cap_seed: []i32) : (i32, i64, i64) =
  let cap = length cap_seed
  let ws = map (\w -> 1 + wrap (i64.max 1 (cap / 8)) w) ws
  let vs = map (\v -> 1 + v % 500) vs
  let dp0 = replicate (cap + 1) 0i32
  let takes0 = replicate n 0i64
  let (dp, takes) =
    loop (dp, takes) = (dp0, takes0) for i < n do
      let w = ws[i]
      let v = vs[i]
      let dp' = tabulate (cap + 1) (\c -> if c < w then dp[c] else i32.max dp[c] (dp[c - w] + v))
      let improved = i64.sum (map2 (\x y -> i64.bool (y > x)) dp dp')
      in (dp', takes with [i] = improved)
  let best = dp[cap]
  let least = reduce i64.min cap (map2 (\c x -> if x == best then c else cap) (indices dp) dp)
  in (best, least, i64.sum takes)

-- ---------------------------------------------------------------- Viterbi

entry viterbi [s][m][t] (trans: [s][s]f32) (emit: [s][m]f32) (obs: [t]i32) : (f32, [t]i32) =
  let obs = map (wrap m) obs
  let into = transpose trans
  let first = map (\e -> e[obs[0]]) emit
  let (score, back) =
    loop (score, back) = (first, replicate t (replicate s 0i32)) for k in 1..<t do
      let o = obs[k]
      let (best, arg) = unzip (map (\row -> argmax_f32 (map2 (+) score row)) into)
      let score' = map2 (\b e -> b + 2 * e[o]) best emit
      let back[k] = map i32.i64 arg
      in (score', back)
  let (best, last) = argmax_f32 score
  let path0 = replicate t 0i32 with [t-1] = i32.i64 last
  let path =
    loop path = path0 for k in t-1..t-2...1 do
      path with [k-1] = back[k, path[k]]
  in (best, path)

-- ---------------------------------------------------------------- HMM forward

entry hmm_forward [s][m][t] (trans: [s][s]f64) (emit: [s][m]f64) (obs: [t]i32) : (f64, [s]f64, [t]f64) =
  let norm row = let z = f64.sum row + 1e-12 in map (/ z) row
  let a = transpose (map norm trans)
  let e = map norm (map (map (+ 0.01)) emit)
  let alpha0 = replicate s (1 / f64.i64 s)
  let (alpha, ll, scales) =
    loop (alpha, ll, scales) = (alpha0, 0f64, replicate t 0f64) for k < t do
      let o = wrap m obs[k]
      let pred = map (\col -> dot64 col alpha) a
      let un = map2 (*) pred e[:, o]
      let c = f64.sum un
      in (map (/ c) un, ll + f64.log c, scales with [k] = c)
  in (ll, alpha, scales)

-- ---------------------------------------------------------------- red/black Gauss-Seidel

entry redblack [h][w] (rhs: [h][w]f32) (sweeps: i32) : ([h][w]f32, f32, f32) =
  let sweeps = 50 + sweeps % 100
  let half (colour: i64) (u: [h][w]f32) : [h][w]f32 =
    tabulate_2d h w (\i j ->
      if i == 0 || j == 0 || i == h-1 || j == w-1 || (i + j) % 2 != colour
      then u[i,j]
      else let gs = 0.25 * (u[i-1,j] + u[i+1,j] + u[i,j-1] + u[i,j+1] - (rhs[i,j] - 0.5))
           in u[i,j] + 1.5 * (gs - u[i,j]))
  let (u, d, tot) =
    loop (u, _, tot) = (replicate h (replicate w 0f32), 0, 0) for _s < sweeps do
      let u' = half 1 (half 0 u)
      let d = f32.maximum (flatten (map2 (map2 (\x y -> f32.abs (x - y))) u u'))
      in (u', d, tot + d)
  in (u, d, tot)

-- ---------------------------------------------------------------- coupled oscillators (Euler)

entry euler_network [n][k] (freq: [n]f64) (phase: [n]f64) (nbr: [n][k]i32) (steps: i32) : ([n]f64, []f64, f64) =
  let steps = 100 + i64.i32 (steps % 200)
  let dt = 0.02
  let nbr = map (map (wrap n)) nbr
  let order th =
    let (c, s) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
                        (map (\t -> (f64.cos t, f64.sin t)) th)
    in f64.sqrt (c * c + s * s) / f64.i64 n
  let (th, rs, energy) =
    loop (th, rs, energy) = (map (* 6.0) phase, replicate steps 0f64, 0f64) for i < steps do
      let force = map2 (\t js -> f64.sum (map (\j -> f64.sin (th[j] - t)) js) / f64.i64 k) th nbr
      let vel = map2 (\w f -> w + 1.5 * f) freq force
      let th = map2 (\t v -> t + dt * v) th vel
      let kin = 0.5 * f64.sum (map (\v -> v * v) vel) / f64.i64 n
      in (th, rs with [i] = order th, energy + dt * kin)
  in (th, rs, energy)

-- ---------------------------------------------------------------- Metropolis

entry metropolis [n] (data: [n]f64) (steps: i32) : (f64, f64, i32, []f64) =
  let steps = 100 + i64.i32 (steps % 200)
  let obs = map (\d -> 3 * d + 1) data
  let scale = 200 / f64.i64 n
  -- Posterior of a location and a log scale, plus a robust penalty.
  let logp (mu: f64) (ls: f64) =
    let inv = f64.exp (-ls)
    let sq = f64.sum (map (\x -> let z = (x - mu) * inv in z * z) obs)
    let far = f64.maximum (map (\x -> f64.abs (x - mu)) obs)
    let inside = i64.sum (map (\x -> i64.bool (f64.abs (x - mu) < 0.5)) obs)
    in scale * (-0.5 * sq - f64.i64 n * ls) - 0.1 * far + 0.001 * scale * f64.i64 inside
  let s0 = {mu = 0f64, ls = 0f64, lp = logp 0 0, acc = 0i32, rng = 12345u32}
  let (s, trace) =
    loop (s, trace) = (s0, replicate steps 0f64) for i < steps do
      let r1 = next_rng s.rng
      let r2 = next_rng r1
      let r3 = next_rng r2
      let mu = s.mu + 0.4 * (unit_f64 r1 - 0.5)
      let ls = f64.max (-2) (f64.min 2 (s.ls + 0.2 * (unit_f64 r2 - 0.5)))
      let lp = logp mu ls
      let s' = if f64.log (unit_f64 r3 + 1e-12) < lp - s.lp
               then {mu, ls, lp, acc = s.acc + 1, rng = r3}
               else s with rng = r3
      in (s', trace with [i] = s'.mu)
  in (s.mu, s.ls, s.acc, trace)

-- ---------------------------------------------------------------- Gram-Schmidt

entry gram_schmidt [m][n] (a: [m][n]f32) : ([m][n]f32, [n]f32) =
  let (q, diag) =
    loop (q, diag) = (map (map (\x -> x - 0.5)) a, replicate n 0f32) for j < n do
      let v = copy q[:, j]
      let nrm = f32.sqrt (dot32 v v)
      let inv = if nrm > 1e-6 then 1 / nrm else 0
      let u = map (* inv) v
      let coef = map (dot32 u) (transpose q)
      let q = tabulate_2d m n (\i l ->
                if l < j then q[i, l]
                else if l == j then u[i]
                else q[i, l] - u[i] * coef[l])
      in (q, diag with [j] = nrm)
  in (q, diag)

-- ---------------------------------------------------------------- statistics of slices

entry slice_stats [n] (a: [n][n]f32) : (f32, f32, i64, [n]f32) =
  loop (acc, peak, where, out) = (0f32, 0f32, 0i64, replicate n 0f32) for i < n do
    let row = a[i]
    let col = a[:, i]
    let s = f32.sum row
    let mx = f32.maximum col
    let (mn, at) = argmin_f32 row
    let both = dot32 row col
    let (lo, hi) = reduce (\(a, b) (c, d) -> (f32.min a c, f32.max b d)) (f32.inf, -f32.inf)
                          (map2 (\x y -> (x - y, x - y)) row col)
    let score = s / f32.i64 n + mx - mn + 0.1 * (hi - lo)
    in (0.9 * acc + both / f32.i64 n,
        f32.max peak score,
        (where * 31 + at) % 1000003,
        out with [i] = score)

-- ---------------------------------------------------------------- PageRank

entry pagerank [n][e] (dummy: [n]f32) (from: [e]i32) (to: [e]i32) : ([n]f32, f32) =
  let src = map (wrap n) from
  let dst = map (wrap n) to
  let deg = hist (+) 0i32 n src (replicate e 1)
  let seedw = let z = f32.sum dummy + 1e-6 in map (/ z) dummy
  let damp = 0.85f32
  let (r, delta, _) =
    loop (r, delta, it) = (replicate n (1 / f32.i64 n), 1f32, 0i32)
    while delta > 1e-5 && it < 100 do
      let share = map2 (\x d -> if d == 0 then 0 else x / f32.i32 d) r deg
      let lost = f32.sum (map2 (\x d -> if d == 0 then x else 0) r deg)
      let inflow = reduce_by_index (replicate n 0f32) (+) 0 dst (map (\s -> share[s]) src)
      let r' = map2 (\f w -> (1 - damp) * w + damp * (f + lost / f32.i64 n)) inflow seedw
      let delta = f32.sum (map2 (\x y -> f32.abs (x - y)) r r')
      in (r', delta, it + 1)
  in (r, if delta <= 1e-5 then 1 else 0)

-- ---------------------------------------------------------------- Bellman-Ford with a frontier

entry bellman_ford [e] (nodes: []i32) (from: [e]i32) (to: [e]i32) (cost: [e]i32) : ([]i64, i64, i32) =
  let n = length nodes
  let inf = 1i64 << 40
  let src = map (wrap n) from
  let dst = map (wrap n) to
  let w = map (\c -> 1 + wrap 100 c) cost
  let nroots = 1 + n / 1000
  let roots = map (wrap n) (take nroots nodes)
  let dist0 = scatter (replicate n inf) roots (replicate nroots 0)
  let (dist, _, rounds) =
    loop (dist, active, rounds) = (dist0, true, 0i32) while active && rounds < 500 do
      let cand = map2 (\s c -> dist[s] + c) src w
      let new = reduce_by_index (copy dist) i64.min inf dst cand
      let active = or (map2 (<) new dist)
      in (new, active, rounds + 1)
  in (dist, i64.sum (filter (< inf) dist), rounds)

-- ---------------------------------------------------------------- LU with partial pivoting

entry lu_pivot [n] (a0: [n][n]f64) : ([n][n]f64, [n]i64, f64) =
  let a0 = tabulate_2d n n (\i j -> a0[i,j] + if (i + 1) % n == j then 0.5 * f64.i64 n else 0)
  let (a, perm, logdet) =
    loop (a: *[n][n]f64, perm: *[n]i64, logdet) = (copy a0, iota n, 0f64) for k < n do
      let (_, p) =
        reduce_comm (\(x, i) (y, j) -> if x > y || (x == y && i < j) then (x, i) else (y, j))
                    (-1, n)
                    (map2 (\i x -> if i < k then (-1, n) else (f64.abs x, i)) (iota n) a[:, k])
      let rk = copy a[k]
      let rp = copy a[p]
      let a[k] = rp
      let a[p] = if p == k then copy rp else rk
      let pk = perm[k]
      let pp = perm[p]
      let perm[k] = pp
      let perm[p] = pk
      let piv = rp[k]
      let a' = tabulate_2d n n (\i j ->
                 if i <= k || j < k then a[i,j]
                 else let f = a[i,k] / piv
                      in if j == k then f else a[i,j] - f * rp[j])
      in (a', perm, logdet + f64.log (f64.abs piv + 1e-30))
  in (a, perm, logdet)
