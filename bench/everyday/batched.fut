-- Many small, independent problems solved at once.  The outermost dimension
-- of (nearly) every argument is the batch.

-- ---------------------------------------------------------------- helpers --

module mk_linalg (R: real) = {
  type t = R.t
  def dot [n] (xs: [n]t) (ys: [n]t) : t =
    R.sum (map2 (R.*) xs ys)
  def matvec [n][m] (A: [n][m]t) (x: [m]t) : [n]t =
    map (\row -> dot row x) A
  def matmul [n][k][m] (A: [n][k]t) (B: [k][m]t) : [n][m]t =
    map (\row -> map (\col -> dot row col) (transpose B)) A
  def add [n][m] (A: [n][m]t) (B: [n][m]t) : [n][m]t =
    map2 (map2 (R.+)) A B
  def sub [n][m] (A: [n][m]t) (B: [n][m]t) : [n][m]t =
    map2 (map2 (R.-)) A B
  def scaled_eye (n: i64) (c: t) : [n][n]t =
    tabulate_2d n n (\i j -> if i == j then c else R.i32 0)
}

module la32 = mk_linalg f32
module la64 = mk_linalg f64

def argmax_by_key 'k (gt: k -> k -> bool) (eq: k -> k -> bool)
                     ((i, x): (i64, k)) ((j, y): (i64, k)) : (i64, k) =
  if gt x y then (i, x)
  else if eq x y && i < j then (i, x)
  else (j, y)

def ilog2 (n: i64) : i64 = i64.i32 (i64.ctz n)

-- ------------------------------------------------------ dense linear algebra --

def cholesky [n] (A: [n][n]f64) : [n][n]f64 =
  loop L = replicate n (replicate n 0) for j < n do
    let s = tabulate n (\i -> A[i, j] - la64.dot L[i, :j] L[j, :j])
    let d = f64.sqrt s[j]
    let col = map2 (\i v -> if i < j then 0 else v / d) (iota n) s
    in L with [:, j] = col

def forward_subst [n] (L: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = copy b for i < n do
    let v = (y[i] - la64.dot L[i, :i] y[:i]) / L[i, i]
    in y with [i] = v

def backward_subst [n] (U: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = copy b for k < n do
    let i = n - 1 - k
    let v = (y[i] - la64.dot U[i, i + 1:] y[i + 1:]) / U[i, i]
    in y with [i] = v

-- Solve A x = b with A = B B^T + n I, one system per batch element.
entry cholesky_solve [m][n] (Bs: [m][n][n]f64) (bs: [m][n]f64) : [m][n]f64 =
  let solve B b =
    let A = la64.add (la64.matmul B (transpose B)) (la64.scaled_eye n (f64.i64 n))
    let L = cholesky A
    in backward_subst (transpose L) (forward_subst L b)
  in map2 solve Bs bs

def swap_rows [n][m] 't (i: i64) (j: i64) (A: *[n][m]t) : *[n][m]t =
  let ri = copy A[i]
  let rj = copy A[j]
  let A[i] = rj
  let A[j] = ri
  in A

def invert [n] (A: [n][n]f32) : [n][n]f32 =
  let aug = map2 concat A (la32.scaled_eye n 1)
  let res =
    loop M = aug for j < n do
      let (p, _) =
        map (\i -> (i, f32.abs M[i, j])) (j..<n)
        |> reduce_comm (argmax_by_key (f32.>) (f32.==)) (-1, -1)
      let M = swap_rows j p M
      let pivot = M[j, j]
      let prow = map (/ pivot) M[j]
      in map2 (\i row -> if i == j then prow
                         else map2 (\x y -> x - row[j] * y) row prow)
              (iota n) M
  in res[:, n:] :> [n][n]f32

-- Matrix inverses by Gauss-Jordan with partial pivoting.  The random matrices
-- are made well-conditioned by a dominant off-diagonal (so rows do get swapped).
entry gauss_jordan [m][n] (As: [m][n][n]f32) : [m][n][n]f32 =
  let prepare A =
    tabulate_2d n n (\i j -> A[i, j] + if j == (i + 1) % n then f32.i64 n else 0)
  in map (\A -> invert (prepare A)) As

-- Least squares by Householder QR; the random matrices get a heavier diagonal.
entry qr_least_squares [b][m][n] (As: [b][m][n]f32) (ys: [b][m]f32) : [b][n]f32 =
  let one A0 y0 =
    let A = tabulate_2d m n (\i j -> A0[i, j] + if i == j then 4 else 0)
    let (R, q) =
      loop (A, y) = (A, copy y0) for k < n do
        let x = A[:, k]
        let norm = f32.sqrt (f32.sum (map (\v -> v * v) x[k:]))
        let alpha = if x[k] > 0 then -norm else norm
        let v = map2 (\i xi -> if i < k then 0
                               else if i == k then xi - alpha
                               else xi)
                     (iota m) x
        let beta = 2 / la32.dot v v
        let w = map (\col -> beta * la32.dot v col) (transpose A)
        let c = beta * la32.dot v y
        in ( map2 (\vi row -> map2 (\a wj -> a - vi * wj) row w) v A
           , map2 (\vi yi -> yi - vi * c) v y )
    in loop sol = replicate n 0 for k < n do
         let i = n - 1 - k
         let s = la32.dot R[i, i + 1:n] sol[i + 1:n]
         in sol with [i] = (q[i] - s) / R[i, i]
  in map2 one As ys

-- Product of a chain of k small matrices per batch element, and its trace.
entry matrix_chain [m][k][n] (Ms: [m][k][n][n]f32) : ([m][n][n]f32, [m]f32) =
  let prods = map (foldl la32.matmul (la32.scaled_eye n 1)) Ms
  let trace A = f32.sum (map (\i -> A[i, i]) (iota n))
  in (prods, map trace prods)

-- Thomas algorithm on diagonally dominant systems.
entry tridiagonal [m][n] (as: [m][n]f64) (bs: [m][n]f64) (cs: [m][n]f64) (ds: [m][n]f64)
    : [m][n]f64 =
  let solve (a: [n]f64) (b0: [n]f64) (c: [n]f64) (d: [n]f64) =
    let b = map3 (\x y z -> f64.abs x + 1 + f64.abs y + f64.abs z) b0 a c
    let (cp, dp) =
      loop (cp, dp) = (replicate n 0, replicate n 0) for i < n do
        let (c1, d1) = if i == 0 then (0, 0) else (cp[i - 1], dp[i - 1])
        let ai = if i == 0 then 0 else a[i]
        let den = b[i] - ai * c1
        in (cp with [i] = c[i] / den, dp with [i] = (d[i] - ai * d1) / den)
    in loop x = dp for k < n - 1 do
         let i = n - 2 - k
         in x with [i] = x[i] - cp[i] * x[i + 1]
  in map4 solve as bs cs ds

-- ------------------------------------------------------------- transforms --

module complex = {
  type t = {re: f32, im: f32}
  def mk re im : t = {re, im}
  def add (a: t) (b: t) : t = {re = a.re + b.re, im = a.im + b.im}
  def sub (a: t) (b: t) : t = {re = a.re - b.re, im = a.im - b.im}
  def mul (a: t) (b: t) : t =
    {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}
  def cis (phi: f32) : t = {re = f32.cos phi, im = f32.sin phi}
}

def fft_row [n] (tw: i64 -> complex.t) (xs: [n]complex.t) : [n]complex.t =
  let lg = ilog2 n
  let bitrev i = loop r = 0 for b < lg do (r << 1) | ((i >> b) & 1)
  let xs = map (\i -> xs[bitrev i]) (iota n)
  in loop xs for s < lg do
       let half = 1 << s
       in tabulate n (\i ->
            let k = i & (half - 1)
            let w = tw (k * (n / (2 * half)))
            in if i & half == 0
               then complex.add xs[i] (complex.mul w xs[i + half])
               else complex.sub xs[i - half] (complex.mul w xs[i]))

-- Radix-2 FFT of every row; n is a power of two.
entry fft_rows [m][n] (re: [m][n]f32) (im: [m][n]f32) : ([m][n]f32, [m][n]f32) =
  let tw = tabulate (n / 2) (\k -> complex.cis (-2 * f32.pi * f32.i64 k / f32.i64 n))
  let ys = map2 (\r i -> fft_row (\k -> tw[k]) (map2 complex.mk r i)) re im
  in (map (map (.re)) ys, map (map (.im)) ys)

-- Polynomial products modulo a prime, and evaluation of each at a point.
entry poly_mul_mod [m][n] (ps: [m][n]i64) (qs: [m][n]i64) (xs: [m]i64) (prime: i64)
    : ([m][2 * n]i64, [m]i64) =
  let mul p q : [2 * n]i64 =
    tabulate (2 * n) (\k ->
      let lo = i64.max 0 (k - n + 1)
      let hi = i64.min k (n - 1)
      in loop acc = 0 for i in lo..<hi + 1 do (acc + p[i] * q[k - i]) % prime)
  let eval x (p: [2 * n]i64) = foldr (\c acc -> (acc * x + c) % prime) 0 p
  let rs = map2 mul ps qs
  in (rs, map2 eval xs rs)

-- ------------------------------------------------- sorting and statistics --

-- Bitonic sort of every row; n is a power of two.
entry bitonic_rows [m][n] (xss: [m][n]i32) : [m][n]i32 =
  let sort xs =
    loop xs for i < ilog2 n do
      loop xs for j in i..i-1...0 do
        let d = 1 << j
        in tabulate n (\t ->
             let p = t ^ d
             let up = (t >> (i + 1)) & 1 == 0
             let (a, b) = (xs[t], xs[p])
             in if (t < p) == up then i32.min a b else i32.max a b)
  in map sort xss

-- Rank sort: ranks of all values in a row, and the row in sorted order.
entry rank_rows [m][n] (xss: [m][n]f32) : ([m][n]i32, [m][n]f32) =
  let rank (xs: [n]f32) =
    map2 (\x i ->
            i32.sum (map2 (\y j -> i32.bool (y < x || (y == x && j < i))) xs (iota n)))
         xs (iota n)
  let ranks = map rank xss
  let sorted =
    map2 (\xs rs -> scatter (replicate n 0) (map i64.i32 rs) xs) xss ranks
  in (ranks, sorted)

-- LSD radix sort (one bit at a time) of rows of u16 keys, with their positions.
entry radix_rows [m][n] (kss: [m][n]u16) : ([m][n]u16, [m][n]i16) =
  let step b (kvs: [n](u16, i16)) =
    let bit (k: u16, _) = i64.u16 ((k >> b) & 1)
    let ones = map bit kvs
    let zeros = map (1 -) ones
    let off0 = scan (+) 0 zeros
    let off1 = scan (+) 0 ones
    let nz = off0[n - 1]
    let is = map3 (\o z u -> if o == 1 then nz + u - 1 else z - 1) ones off0 off1
    in scatter (copy kvs) is kvs
  let sort ks = loop kvs = zip ks (map i16.i64 (iota n)) for b < 16 do step (u16.i32 b) kvs
  in map sort kss |> map unzip |> unzip

-- Histogram equalization of many small tiles.
entry equalize_tiles [m][h][w] (tiles: [m][h][w]u8) : [m][h][w]u8 =
  let equalize (tile: [h][w]u8) =
    let px = flatten tile
    let counts = hist (+) 0i32 256 (map i64.u8 px) (map (const 1) px)
    let cdf = scan (+) 0 counts
    let cmin = reduce i32.min i32.highest (map (\c -> if c > 0 then c else i32.highest) cdf)
    let den = i32.max 1 (i32.i64 (h * w) - cmin)
    let lut = map (\c -> u8.i32 (i32.max 0 (c - cmin) * 255 / den)) cdf
    in map (map (\p -> lut[i64.u8 p])) tile
  in map equalize tiles

-- The k largest values of each row, in order, with their positions.
entry topk_rows [m][n] (k: i64) (xss: [m][n]f32) : ([m][k]f32, [m][k]i32) =
  let pick (xs0: [n]f32) =
    let (_, vs, is) =
      loop (xs, vs, is) = (copy xs0, replicate k 0, replicate k 0) for j < k do
        let (i, v) = reduce (argmax_by_key (f32.>) (f32.==)) (n, -f32.inf) (zip (iota n) xs)
        in (xs with [i] = -f32.inf, vs with [j] = v, is with [j] = i32.i64 i)
    in (vs, is)
  in unzip (map pick xss)

-- Lower median and median absolute deviation of rows of i16, by bisection.
entry median_mad [m][n] (xss: [m][n]i16) : ([m]i16, [m]i32) =
  let kth (k: i64) (xs: [n]i32) =
    let (lo, _) =
      loop (lo, hi) = (-32769, 65536) while hi - lo > 1 do
        let mid = (lo + hi) / 2
        let c = i64.sum (map (\x -> i64.bool (x < mid)) xs)
        in if c <= k then (mid, hi) else (lo, mid)
    in lo
  let stats xs =
    let ys = map i32.i16 xs
    let med = kth ((n - 1) / 2) ys
    let mad = kth ((n - 1) / 2) (map (\y -> i32.abs (y - med)) ys)
    in (i16.i32 med, mad)
  in unzip (map stats xss)

-- ----------------------------------------------------- dynamic programming --

-- Length of the longest common subsequence of each pair of strings.
entry lcs [m][n][k] (as: [m][n]u8) (bs: [m][k]u8) : [m]i32 =
  let one (a: [n]u8) (b: [k]u8) =
    let row =
      loop row = replicate (k + 1) 0i32 for c in a do
        let (row, _) =
          loop (row, diag) = (row, 0) for j < k do
            let up = row[j + 1]
            let v = if c == b[j] then diag + 1 else i32.max up row[j]
            in (row with [j + 1] = v, up)
        in row
    in row[k]
  in map2 one as bs

-- Smith-Waterman (linear gaps), by anti-diagonals; best score per pair.
entry smith_waterman [m][n] (match_: i16) (mismatch: i16) (gap: i16)
                            (as: [m][n]u8) (bs: [m][n]u8) : [m]i16 =
  let one (a: [n]u8) (b: [n]u8) =
    let at (xs: []i16) i = if i < 0 then 0 else xs[i]
    let (_, _, best) =
      loop (prev2, prev, best) = (replicate n 0, replicate n 0, 0) for d < 2 * n - 1 do
        -- cell i of a diagonal is (row i, column d - i)
        let cur =
          tabulate n (\i ->
            let j = d - i
            in if j < 0 || j >= n then 0
               else let s = if a[i] == b[j] then match_ else mismatch
                    let up_left = if j == 0 then 0 else at prev2 (i - 1)
                    let up = at prev (i - 1)
                    let left = if j == 0 then 0 else prev[i]
                    in i16.max 0 (i16.max (up_left + s) (i16.max up left + gap)))
        in (prev, cur, i16.max best (i16.maximum cur))
    in best
  in map2 one as bs

-- Dynamic time warping of every series against one reference.
entry dtw [m][n][k] (series: [m][n]f32) (ref: [k]f32) : [m]f32 =
  let dist xs =
    let first = tabulate (k + 1) (\j -> if j == 0 then 0 else f32.inf)
    let last_row =
      loop prev = first for x in xs do
        let cur = replicate (k + 1) f32.inf
        in loop cur for j < k do
             let c = f32.abs (x - ref[j])
             in cur with [j + 1] = c + f32.min prev[j] (f32.min prev[j + 1] cur[j])
    in last_row[k]
  in map dist series

-- All-pairs shortest paths in many small directed graphs (0 = no edge).
entry floyd_warshall [m][n] (ws: [m][n][n]i32) : ([m][n][n]i32, [m]i32) =
  let big = 1 << 28 : i32
  let solve w =
    let d0 = tabulate_2d n n (\i j -> if i == j then 0 else if w[i, j] == 0 then big else w[i, j])
    in loop d = d0 for k < n do
         map (\row -> map2 (\dij dkj -> i32.min dij (row[k] + dkj)) row d[k]) d
  let ds = map solve ws
  let diameter d = i32.maximum (map (\x -> if x >= big then 0 else x) (flatten d))
  in (ds, map diameter ds)

-- ------------------------------------------------------- learning, filters --

-- Colour quantization: k-means over the pixels of many small tiles.
entry kmeans_tiles [m][n] (k: i64) (iters: i32) (tiles: [m][n][3]u8) : ([m][k][3]u8, [m][n]u8) =
  let dist2 (a: [3]i32) (b: [3]i32) = i32.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  let nearest (cs: [k][3]i32) (p: [3]i32) : i64 =
    map (dist2 p) cs |> zip (iota k)
    |> reduce (argmax_by_key (i32.<) (i32.==)) (k, i32.highest)
    |> (.0)
  let run tile =
    let ps = map (map i32.u8) tile
    let init = tabulate k (\c -> copy ps[c * n / k])
    let cs =
      loop cs = init for _i < iters do
        let owner = map (nearest cs) ps
        let sums = reduce_by_index (replicate k (replicate 3 0)) (map2 (+)) (replicate 3 0) owner ps
        let counts = reduce_by_index (replicate k 0) (+) 0 owner (replicate n 1)
        in map3 (\old s c -> if c == 0 then old else map (/ c) s) cs sums counts
    in (map (map u8.i32) cs, map (\p -> u8.i64 (nearest cs p)) ps)
  in unzip (map run tiles)

-- Layer norm in half precision, accumulating in single.
entry layer_norm [m][n] (xss: [m][n]f16) (gamma: [n]f16) (beta: [n]f16) : [m][n]f16 =
  let norm xs =
    let ys = map f32.f16 xs
    let mean = f32.sum ys / f32.i64 n
    let var = f32.sum (map (\y -> (y - mean) ** 2) ys) / f32.i64 n
    let inv = 1 / f32.sqrt (var + 1e-5)
    in map3 (\y g b -> f16.f32 ((y - mean) * inv) * g + b) ys gamma beta
  in map norm xss

-- Group norm: channels are normalized in g groups per sample.
entry group_norm [b][c][p] (g: i64) (xs: [b][c][p]f32) (gamma: [c]f32) : [b][c][p]f32 =
  let sample (x: [c][p]f32) =
    let groups = unflatten (x :> [g * (c / g)][p]f32)
    let stats grp =
      let flat = flatten grp
      let (s, s2) =
        map (\v -> (v, v * v)) flat
        |> reduce_comm (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
      let cnt = f32.i64 (length flat)
      let mu = s / cnt
      in (mu, 1 / f32.sqrt (s2 / cnt - mu * mu + 1e-5))
    let st = map stats groups
    in map3 (\i row ga -> let (mu, r) = st[i / (c / g)]
                          in map (\v -> (v - mu) * r * ga) row)
            (iota c) x gamma
  in map sample xs

-- Scaled dot-product attention, one head per batch element.
entry attention [h][n][d] (causal: bool) (qs: [h][n][d]f32) (ks: [h][n][d]f32) (vs: [h][n][d]f32)
    : [h][n][d]f32 =
  let softmax [l] (xs: [l]f32) =
    let mx = f32.maximum xs
    let es = map (\x -> f32.exp (x - mx)) xs
    let s = f32.sum es
    in map (/ s) es
  let head q k v =
    let scale = 1 / f32.sqrt (f32.i64 d)
    let scores = map (map (* scale)) (la32.matmul q (transpose k))
    let masked =
      if causal
      then map2 (\i -> map2 (\j s -> if j > i then -1e30 else s) (iota n)) (iota n) scores
      else scores
    in la32.matmul (map softmax masked) v
  in map3 head qs ks vs

-- Constant-velocity Kalman filters over many 2-D tracks.
entry kalman_tracks [m][t] (dt: f64) (q: f64) (r: f64) (zs: [m][t][2]f64) : ([m][4]f64, [m]f64) =
  let F : [4][4]f64 = [[1, 0, dt, 0], [0, 1, 0, dt], [0, 0, 1, 0], [0, 0, 0, 1]]
  let H : [2][4]f64 = [[1, 0, 0, 0], [0, 1, 0, 0]]
  let inv2 (S: [2][2]f64) : [2][2]f64 =
    let det = S[0, 0] * S[1, 1] - S[0, 1] * S[1, 0]
    in [[S[1, 1] / det, -S[0, 1] / det], [-S[1, 0] / det, S[0, 0] / det]]
  let step (x: [4]f64, P: [4][4]f64, nis: f64) (z: [2]f64) =
    let x = la64.matvec F x
    let P = la64.add (la64.matmul (la64.matmul F P) (transpose F)) (la64.scaled_eye 4 q)
    let y = map2 (-) z (la64.matvec H x)
    let S = la64.add (la64.matmul (la64.matmul H P) (transpose H)) (la64.scaled_eye 2 r)
    let Si = inv2 S
    let K = la64.matmul (la64.matmul P (transpose H)) Si
    let x = map2 (+) x (la64.matvec K y)
    let P = la64.matmul (la64.sub (la64.scaled_eye 4 1) (la64.matmul K H)) P
    in (x, P, nis + la64.dot y (la64.matvec Si y))
  let track z =
    let (x, _, nis) = loop acc = (replicate 4 0, la64.scaled_eye 4 10, 0) for zi in z do step acc zi
    in (x, nis / f64.i64 t)
  in unzip (map track zs)

-- ------------------------------------------------------------- simulation --

module vec3 = {
  type t = {x: f64, y: f64, z: f64}
  def (+) (a: t) (b: t) : t = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
  def scale (s: f64) (a: t) : t = {x = s * a.x, y = s * a.y, z = s * a.z}
}

-- RK4 integration of the Lorenz system from many starts, with parameters.
-- Kept in the non-chaotic range (rho < 13) so that rounding does not grow.
entry lorenz_rk4 [m] (steps: i32) (dt: f64) (x0: [m]f64) (y0: [m]f64) (z0: [m]f64) (rho: [m]f64)
    : ([m]f64, [m]f64, [m]f64, [m]f64) =
  let deriv (rho: f64) (p: vec3.t) : vec3.t =
    {x = 10 * (p.y - p.x), y = p.x * (rho - p.z) - p.y, z = p.x * p.y - 8 / 3 * p.z}
  let rk4 rho (p: vec3.t) =
    let k1 = deriv rho p
    let k2 = deriv rho (p vec3.+ vec3.scale (dt / 2) k1)
    let k3 = deriv rho (p vec3.+ vec3.scale (dt / 2) k2)
    let k4 = deriv rho (p vec3.+ vec3.scale dt k3)
    let ks = (k1 vec3.+ vec3.scale 2 k2) vec3.+ (vec3.scale 2 k3 vec3.+ k4)
    in p vec3.+ vec3.scale (dt / 6) ks
  let run x y z rho =
    let (p, zmax) =
      loop (p, zmax) = ({x, y, z}, z) for _i < steps do
        let p = rk4 rho p
        in (p, f64.max zmax p.z)
    in (p.x, p.y, p.z, zmax)
  in unzip4 (map4 run x0 y0 z0 rho)

-- Many seeded random walks on a line: one histogram of visited sites per walk,
-- and one of the final sites of all walks.
entry random_walks [m] (steps: i32) (w: i64) (seeds: [m]i32) : ([m][w]i32, [w]i32) =
  let next (s: u32) = s * 1664525 + 1013904223
  let walk seed =
    let (visits, pos, _) =
      loop (visits, pos, s) = (replicate w 0i32, w / 2, u32.i32 seed) for _i < steps do
        let s = next s
        let d = if (s >> 16) & 1 == 1 then 1 else -1
        let pos = (pos + d + w) % w
        let visits[pos] = visits[pos] + 1
        in (visits, pos, s)
    in (visits, pos)
  let (vs, ends) = unzip (map walk seeds)
  in (vs, hist (+) 0 w ends (replicate m 1))

-- Sobel edges, thresholded, on many small grey images; edge counts per image.
entry sobel_tiles [m][h][w] (thr: i32) (imgs: [m][h][w]u8) : ([m][h][w]u8, [m]i32) =
  let sobel (img: [h][w]u8) =
    let px i j = i32.u8 img[i64.max 0 (i64.min (h - 1) i), i64.max 0 (i64.min (w - 1) j)]
    in tabulate_2d h w (\i j ->
         let gx = px (i-1) (j+1) + 2 * px i (j+1) + px (i+1) (j+1)
                  - px (i-1) (j-1) - 2 * px i (j-1) - px (i+1) (j-1)
         let gy = px (i+1) (j-1) + 2 * px (i+1) j + px (i+1) (j+1)
                  - px (i-1) (j-1) - 2 * px (i-1) j - px (i-1) (j+1)
         in u8.i32 (i32.min 255 ((i32.abs gx + i32.abs gy) / 4)))
  let edges = map sobel imgs
  let count e = i32.sum (map (\v -> i32.bool (i32.u8 v >= thr)) (flatten e))
  in (edges, map count edges)

-- Game of Life on many small tori.
entry life [m][n] (gens: i32) (worlds: [m][n][n]bool) : ([m][n][n]bool, [m]i32) =
  let step (w: [n][n]bool) =
    let c = map (map i8.bool) w
    let rows = map3 (map3 (\a b c -> a + b + c)) (rotate (-1) c) c (rotate 1 c)
    let sums = map (\r -> map3 (\a b c -> a + b + c) (rotate (-1) r) r (rotate 1 r)) rows
    in map2 (map2 (\s alive -> s == 3 || (alive && s == 4))) sums w
  let final = map (\w -> loop w for _i < gens do step w) worlds
  in (final, map (\w -> i32.sum (map i32.bool (flatten w))) final)

-- Jacobi iterations on many sparse systems in ELL format (columns as i32);
-- the diagonal is made dominant.
entry ell_jacobi [m][n][k] (iters: i32) (cols: [m][n][k]i32) (vals: [m][n][k]f64) (bs: [m][n]f64)
    : ([m][n]f64, [m]f64) =
  let solve (cols: [n][k]i32) (vals: [n][k]f64) (b: [n]f64) =
    let diag = map (\v -> 1 + f64.sum (map f64.abs v)) vals
    let spmv x = map2 (\cs vs -> f64.sum (map2 (\c v -> v * x[c]) cs vs)) cols vals
    let x =
      loop x = replicate n 0 for _i < iters do
        map3 (\bi di si -> (bi - si) / di) b diag (spmv x)
    let res = map4 (\bi di xi si -> f64.abs (bi - di * xi - si)) b diag x (spmv x)
    in (x, f64.maximum res)
  in unzip (map3 solve cols vals bs)

-- ------------------------------------------------------- strings, programs --

-- Occurrences of a pattern in every record: count, and first position or -1.
entry match_records [m][n][k] (records: [m][n]u8) (pat: [k]u8) : ([m]i32, [m]i32) =
  let search (s: [n]u8) =
    let hit i = all id (tabulate k (\j -> s[i + j] == pat[j]))
    let hits = map hit (iota (n - k + 1))
    let count = i32.sum (map i32.bool hits)
    let first =
      reduce i32.min i32.highest
             (map2 (\h i -> if h then i32.i64 i else i32.highest) hits (indices hits))
    in (count, if count == 0 then -1 else first)
  in unzip (map search records)

type op = #lit i32 | #add | #sub | #mul | #dup | #swap

-- A batch of little stack programs, one byte per instruction, each run on its
-- own stack of 16 cells (which wraps around).
entry stack_programs [m][n] (progs: [m][n]u8) : ([m]i32, [m]i32) =
  let decode (b: u8) : op =
    match b % 8
    case 0 -> #add
    case 1 -> #sub
    case 2 -> #mul
    case 3 -> #dup
    case 4 -> #swap
    case _ -> #lit (i32.u8 (b / 8))
  let run prog =
    let (stack, sp) =
      loop (stack, sp) = (replicate 16 0, 0i32) for o in map decode prog do
        let top = stack[sp & 15]
        let below = stack[(sp - 1) & 15]
        -- new top of the stack, the cell below it, and the stack pointer
        let (new_top, new_below, sp) =
          match o
          case #lit v -> (v, top, sp + 1)
          case #add -> (below + top, stack[(sp - 2) & 15], sp - 1)
          case #sub -> (below - top, stack[(sp - 2) & 15], sp - 1)
          case #mul -> (below * top, stack[(sp - 2) & 15], sp - 1)
          case #dup -> (top, top, sp + 1)
          case #swap -> (below, top, sp)
        let stack[sp & 15] = new_top
        let stack[(sp - 1) & 15] = new_below
        in (stack, sp)
    in (stack[sp & 15], sp)
  in unzip (map run progs)
