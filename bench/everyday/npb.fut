-- Cores of the NAS Parallel Benchmarks.

-- The linear congruential generator x' = 5^13 x mod 2^46.
module lcg = {
  def mask : u64 = (1 << 46) - 1
  def a : u64 = 1220703125
  def mul (x: u64) (y: u64) : u64 = (x * y) & mask
  def step (x: u64) : u64 = mul a x
  -- a^k by squaring
  def pow (k: i64) : u64 =
    let (r, _, _) =
      loop (r, b, k) = (1, a, k) while k > 0 do
        (if k % 2 == 1 then mul r b else r, mul b b, k / 2)
    in r
  def skip (k: i64) (x: u64) : u64 = mul (pow k) x
  def real (x: u64) : f64 = f64.u64 x / 70368744177664
}

-- Embarrassingly parallel: gaussian pairs by acceptance, counted in square annuli.
entry ep (seed: u64) (chunks: i64) (per_chunk: i64) : (f64, f64, [10]i64) =
  let one c =
    let x0 = lcg.skip (2 * per_chunk * c) (seed & lcg.mask)
    let (_, sx, sy, q) =
      loop (x, sx, sy, q) = (x0, 0, 0, replicate 10 0) for _i < per_chunk do
        let xa = lcg.step x
        let xb = lcg.step xa
        let u = 2 * lcg.real xa - 1
        let v = 2 * lcg.real xb - 1
        let t = u * u + v * v
        in if t <= 1 && t > 0
           then let s = f64.sqrt (-2 * f64.log t / t)
                let (gx, gy) = (u * s, v * s)
                let l = i64.min 9 (i64.f64 (f64.max (f64.abs gx) (f64.abs gy)))
                in (xb, sx + gx, sy + gy, q with [l] = q[l] + 1)
           else (xb, sx, sy, q)
    in (sx, sy, q)
  let (sxs, sys, qs) = unzip3 (map one (iota chunks))
  in (f64.sum sxs, f64.sum sys, reduce (map2 (+)) (replicate 10 0i64) qs)

-- Integer sort's ranking: how many keys lie at or below each key, by buckets.
entry is_rank [n] (maxkey: i64) (keys: [n]i32) : ([n]i32, [maxkey]i32) =
  let counts = hist (+) 0 maxkey (map i64.i32 keys) (replicate n 1i32)
  let upto = scan (+) 0 counts
  in (map (\k -> upto[k] - counts[k]) keys, counts)

-- The full sort: stable passes of two bits, with payload.
entry is_sort [n] (bits: i32) (keys: [n]u32) (payload: [n]i32) : ([n]u32, [n]i32) =
  let pass [n] (b: i32) (kvs: [n](u32, i32)) : [n](u32, i32) =
    let digit = map (\(k, _) -> i32.u32 ((k >> u32.i32 b) & 3)) kvs
    let flags = map (\d -> (i64.bool (d == 0), i64.bool (d == 1), i64.bool (d == 2), i64.bool (d == 3))) digit
    let add (a, b, c, d) (e, f, g, h): (i64, i64, i64, i64) = (a + e, b + f, c + g, d + h)
    let sums = scan add (0, 0, 0, 0) flags
    let (t0, t1, t2, _) = if n == 0 then (0, 0, 0, 0) else last sums
    let place d (a, b, c, e) =
      if d == 0 then a - 1
      else if d == 1 then t0 + b - 1
      else if d == 2 then t0 + t1 + c - 1
      else t0 + t1 + t2 + e - 1
    in scatter (copy kvs) (map2 place digit sums) kvs
  in unzip (loop kvs = zip keys payload for i < (bits + 1) / 2 do pass (2 * i) kvs)

-- CG on the normal equations of a random sparse matrix with k entries a row, shifted.
entry cg [n][k] (iters: i32) (shift: f64) (cols: [n][k]i32) (vals: [n][k]f64) (b: [n]f64) : ([n]f64, f64) =
  let dot (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
  let mul (p: [n]f64) : [n]f64 =
    map2 (\cs vs -> f64.sum (map2 (\c v -> v * p[c]) cs vs)) cols vals
  let mul_t (p: [n]f64) : [n]f64 =
    let contrib = flatten (map2 (\vs pi -> map (* pi) vs) vals p)
    in reduce_by_index (replicate n 0) (+) 0 (map i64.i32 (flatten cols)) contrib
  let op p = map2 (\x y -> x + shift * y) (mul_t (mul p)) p
  let (x, _, _, rho) =
    loop (x, r, p, rho) = (replicate n 0, b, b, dot b b) for _i < iters do
      let q = op p
      let alpha = rho / (dot p q + 1e-300)
      let x = map2 (\a b -> a + alpha * b) x p
      let r = map2 (\a b -> a - alpha * b) r q
      let rho' = dot r r
      let beta = rho' / (rho + 1e-300)
      in (x, r, map2 (\a b -> a + beta * b) r p, rho')
  in (x, f64.sqrt rho)

-- One V-cycle of three levels on a periodic cube.
module grid3 = {
  def at [n] (u: [n][n][n]f64) (i: i64) (j: i64) (k: i64) : f64 = u[(i + n) % n, (j + n) % n, (k + n) % n]
  def faces [n] (u: [n][n][n]f64) i j k =
    at u (i-1) j k + at u (i+1) j k + at u i (j-1) k + at u i (j+1) k + at u i j (k-1) + at u i j (k+1)
  def residual [n] (u: [n][n][n]f64) (v: [n][n][n]f64) : [n][n][n]f64 =
    tabulate_3d n n n (\i j k -> v[i,j,k] - (faces u i j k - 6.5 * u[i,j,k]))
  def smooth [n] (w: f64) (u: [n][n][n]f64) (v: [n][n][n]f64) : [n][n][n]f64 =
    map2 (map2 (map2 (\a r -> a - w / 6.5 * r))) u (residual u v)
  def restrict [n] (m: i64) (r: [n][n][n]f64) : [m][m][m]f64 =
    tabulate_3d m m m (\i j k -> 0.5 * r[2*i, 2*j, 2*k] + 0.5 / 6 * faces r (2*i) (2*j) (2*k))
  def prolong [m] (n: i64) (c: [m][m][m]f64) : [n][n][n]f64 =
    tabulate_3d n n n (\i j k ->
      let side x = (x / 2, (x + 1) / 2)
      let (i0, i1) = side i
      let (j0, j1) = side j
      let (k0, k1) = side k
      in 0.125 * (at c i0 j0 k0 + at c i0 j0 k1 + at c i0 j1 k0 + at c i0 j1 k1
                  + at c i1 j0 k0 + at c i1 j0 k1 + at c i1 j1 k0 + at c i1 j1 k1))
  def add [n] (a: [n][n][n]f64) (b: [n][n][n]f64) = map2 (map2 (map2 (+))) a b
  def zero (n: i64) = replicate n (replicate n (replicate n 0f64))
}

entry mg_vcycle [n] (cycles: i32) (u: [n][n][n]f64) (v: [n][n][n]f64) : ([n][n][n]f64, f64) =
  let m = (n + 1) / 2
  let l = (m + 1) / 2
  let vcycle (u: [n][n][n]f64) =
    let u = grid3.smooth 0.7 u v
    let rm = grid3.restrict m (grid3.residual u v)
    let um = grid3.smooth 0.7 (grid3.zero m) rm
    let rl = grid3.restrict l (grid3.residual um rm)
    let ul = loop e = grid3.zero l for _i < 4 do grid3.smooth 0.7 e rl
    let um = grid3.smooth 0.7 (grid3.add um (grid3.prolong m ul)) rm
    in grid3.smooth 0.7 (grid3.add u (grid3.prolong n um)) v
  let u = loop u for _c < cycles do vcycle u
  let norm = grid3.residual u v |> flatten_3d |> map (\r -> r * r) |> f64.sum |> f64.sqrt
  in (u, norm / f64.i64 n)

-- 3-D FFT (powers of two), with decay in time between forward and inverse.
type cplx = { re: f64, im: f64 }
def cadd (a: cplx) (b: cplx) : cplx = { re = a.re + b.re, im = a.im + b.im }
def csub (a: cplx) (b: cplx) : cplx = { re = a.re - b.re, im = a.im - b.im }
def cmul (a: cplx) (b: cplx) : cplx = { re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re }

def fft1 [n] (sign: f64) (xs: [n]cplx) : [n]cplx =
  let (xs, _, _) =
    loop (xs, half, s) = (copy xs, n / 2, 1) while half > 0 do
      let ys =
        map (\q ->
          -- q = (2p + bit) s + r
          let r = q % s
          let t = q / s
          let p = t / 2
          let a = xs[p * s + r]
          let b = xs[(p + half) * s + r]
          let ang = sign * f64.pi * f64.i64 p / f64.i64 half
          let w = { re = f64.cos ang, im = f64.sin ang }
          in if t % 2 == 0 then cadd a b else cmul (csub a b) w) (iota n)
      in (ys, half / 2, s * 2)
  in xs

def fft3 [a][b][c] (sign: f64) (u: [a][b][c]cplx) : [a][b][c]cplx =
  let u = map (map (fft1 sign)) u
  let u = map (\p -> transpose (map (fft1 sign) (transpose p))) u
  in u |> transpose |> map (\p -> transpose (map (fft1 sign) (transpose p))) |> transpose

entry ft3d [a][b][c] (tau: f64) (re: [a][b][c]f64) (im: [a][b][c]f64) : ([a][b][c]f64, [a][b][c]f64) =
  let u = map2 (map2 (map2 (\re im -> { re, im }))) re im
  let freq n i = f64.i64 (if i >= (n + 1) / 2 then i - n else i)
  let decay i j k (z: cplx) : cplx =
    let (x, y, w) = (freq a i, freq b j, freq c k)
    let e = f64.exp (-tau * (x * x + y * y + w * w)) / f64.i64 (a * b * c)
    in { re = e * z.re, im = e * z.im }
  let hat = fft3 (-1) u
  let back = fft3 1 (tabulate_3d a b c (\i j k -> decay i j k hat[i, j, k]))
  in (map (map (map (\z -> z.re))) back, map (map (map (\z -> z.im))) back)

-- Block-tridiagonal lines with 5x5 blocks: A x[i-1] + (B+3I) x[i] + C x[i+1] = f.
def mm5 (A: [5][5]f64) (B: [5][5]f64) : [5][5]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose B)) A
def mv5 (A: [5][5]f64) (x: [5]f64) : [5]f64 = map (\row -> f64.sum (map2 (*) row x)) A
-- solves M [X|y] = [C|f] by elimination
def solve5 (M: [5][5]f64) (C: [5][5]f64) (f: [5]f64) : ([5][5]f64, [5]f64) =
  let aug = map3 (\m c x -> (m ++ c ++ [x]) :> [11]f64) M C f
  let red =
    loop g = aug for p < 5 do
      let prow = map (/ g[p, p]) g[p]
      in tabulate 5 (\i -> if i == p then prow
                           else map2 (\a b -> a - g[i, p] * b) g[i] prow)
  in (map (\r -> r[5:10] :> [5]f64) red, map (\r -> r[10]) red)

entry bt_lines [m][n] (A: [m][n][5][5]f64) (B: [m][n][5][5]f64) (C: [m][n][5][5]f64) (f: [m][n][5]f64) : [m][n][5]f64 =
  let line (A: [n][5][5]f64) (B: [n][5][5]f64) (C: [n][5][5]f64) (f: [n][5]f64) =
    let diag B = tabulate_2d 5 5 (\i j -> B[i, j] + f64.bool (i == j) * 3)
    let (cs, fs) =
      loop (cs, fs) = (replicate n (replicate 5 (replicate 5 0)), replicate n (replicate 5 0)) for i < n do
        let (M, g) =
          if i == 0 then (diag B[0], f[0])
          else (map2 (map2 (-)) (diag B[i]) (mm5 A[i] cs[i-1]), map2 (-) f[i] (mv5 A[i] fs[i-1]))
        let (c, x) = solve5 M C[i] g
        in (cs with [i] = c, fs with [i] = x)
    in loop x = fs for q < n - 1 do
         let i = n - 2 - q
         in x with [i] = map2 (-) x[i] (mv5 cs[i] x[i+1])
  in map4 line A B C f

-- Pentadiagonal solves along the middle axis of a 3-D field, bands per plane.
entry sp_penta [a][n][c] (e2: f64) (e1: f64) (d0: [a]f64) (rhs: [a][n][c]f64) : [a][n][c]f64 =
  let line (d: f64) (f: [n]f64) : [n]f64 =
    let (u, w, y) =
      loop (u, w, y) = (replicate n 0, replicate n 0, replicate n 0) for i < n do
        let (u1, w1, y1) = if i >= 1 then (u[i-1], w[i-1], y[i-1]) else (0, 0, 0)
        let (u2, w2, y2) = if i >= 2 then (u[i-2], w[i-2], y[i-2]) else (0, 0, 0)
        let l1 = (if i >= 1 then e1 else 0) - (if i >= 2 then e2 else 0) * u2
        let p = d - l1 * u1 - (if i >= 2 then e2 else 0) * w2
        in (u with [i] = (e1 - l1 * w1) / p,
            w with [i] = e2 / p,
            y with [i] = (f[i] - l1 * y1 - (if i >= 2 then e2 else 0) * y2) / p)
    let (x, _, _) =
      loop (x, x1, x2) = (y, 0, 0) for q < n do
        let i = n - 1 - q
        let xi = x[i] - u[i] * x1 - w[i] * x2
        in (x with [i] = xi, xi, x1)
    in x
  in map2 (\d plane -> transpose (map (line (d + 3)) (transpose plane))) d0 rhs

-- Lower-triangular sweep of SSOR by hyperplanes i+j+k = p.
entry lu_sweep [a][b][c] (omega: f32) (rhs: [a][b][c]f32) (d: [a][b][c]f32) : [a][b][c]f32 =
  loop v = replicate a (replicate b (replicate c 0)) for p < a + b + c - 2 do
    let cell i j =
      let k = p - i - j
      in if k < 0 || k >= c then ((-1, -1, -1), 0)
         else let west = if i > 0 then v[i-1, j, k] else 0
              let south = if j > 0 then v[i, j-1, k] else 0
              let low = if k > 0 then v[i, j, k-1] else 0
              in ((i, j, k), (rhs[i, j, k] + omega * (west + south + low)) / (4 + d[i, j, k]))
    let (is, xs) = unzip (flatten (tabulate_2d a b cell))
    in scatter_3d v is xs

-- Data cube over three small attributes: the finest view, then the roll-ups.
entry dc_cube [n] (ka: i64) (kb: i64) (kc: i64) (as: [n]u8) (bs: [n]u8) (cs: [n]u8) (measure: [n]i32)
    : ([ka][kb][kc]i64, [ka][kb]i64, [kb][kc]i64, [ka]i64, [kb]i64, [kc]i64, [ka][kb]i32) =
  let key a b c = (i64.u8 a % ka * kb + i64.u8 b % kb) * kc + i64.u8 c % kc
  let keys = map3 key as bs cs
  let cube = unflatten_3d (hist (+) 0i64 (ka * kb * kc) keys (map i64.i32 measure))
  let top = unflatten_3d (hist i32.max i32.lowest (ka * kb * kc) keys measure)
  let ab = map (map i64.sum) cube
  let bc = reduce (map2 (map2 (+))) (replicate kb (replicate kc 0)) cube
  let per_a = map i64.sum ab
  let per_b = map i64.sum bc
  let per_c = map i64.sum (transpose bc)
  in (cube, ab, bc, per_a, per_b, per_c, map (map i32.maximum) top)

-- Adaptive refinement: marked elements give way to eight children, in order.
entry ua_refine [n] (limit: i32) (level: [n]i32) (err: [n]i32) : ([]i32, []i32, i64) =
  let kids = map2 (\l e -> if e > limit && l < 6 then 8i64 else 1) level err
  let ends = scan (+) 0 kids
  let total = if n == 0 then 0 else last ends
  let heads = map2 (-) ends kids
  let owner = scan i64.max 0 (scatter (replicate total 0) heads (iota n))
  let child = map2 (\o i -> i32.i64 (i - heads[o])) owner (iota total)
  let levels' = map (\o -> level[o] + i32.bool (kids[o] == 8)) owner
  let codes = map3 (\o c l -> if kids[o] == 8 then err[o] / 8 + c * l else err[o]) owner child levels'
  in (levels', codes, total)
