-- Ordinary parallel operations, in many shapes and along all axes.

------------------------------------------------------------------------
-- Reductions

-- | Softmax along the middle axis.
entry softmax_mid [a][b][c] (xs: [a][b][c]f32) : [a][b][c]f32 =
  map (\m ->
         let sm r =
           let mx = reduce f32.max f32.lowest r
           let e = map (\x -> f32.exp (x - mx)) r
           let s = reduce (+) 0 e
           in map (/ s) e
         in transpose (map sm (transpose m)))
      xs

def amax (i: i64, x: f32) (j: i64, y: f32) : (i64, f32) =
  if x > y || (x == y && i < j) then (i, x) else (j, y)

-- | Place and value of the largest along the first axis; lowest place on ties.
entry argmax_first [n][m] (xs: [n][m]f32) : ([m]i64, [m]f32) =
  unzip (map (\col -> reduce_comm amax (i64.highest, f32.lowest) (zip (iota n) col))
             (transpose xs))

-- | Mean, variance by merging of partial moments, along the last axis.
entry meanvar_last [n][m] (xs: [n][m]f32) : ([n]f32, [n]f32) =
  let merge (n1: f32, m1: f32, s1: f32) (n2, m2, s2) =
    let n = n1 + n2
    let d = m2 - m1
    in if n == 0 then (0, 0, 0)
       else (n, m1 + d * n2 / n, s1 + s2 + d * d * n1 * n2 / n)
  in unzip (map (\r ->
                   let (k, mu, s) = reduce merge (0, 0, 0) (map (\x -> (1, x, 0)) r)
                   in (mu, s / f32.max 1 k))
                xs)

-- | L1 along the first, L2 along the middle, Linf along the last.
entry norms3 [a][b][c] (xs: [a][b][c]f32) : ([b][c]f32, [a][c]f32, [a][b]f32) =
  ( tabulate_2d b c (\j k -> f32.sum (map f32.abs xs[:, j, k]))
  , map (\m -> map (\col -> f32.sqrt (f32.sum (map (\x -> x * x) col))) (transpose m)) xs
  , map (map (\r -> f32.maximum (map f32.abs r))) xs )

-- | log-sum-exp along axis 2 of a 4-d array, and sums over the axes 0 and 3.
entry lse4d [a][b][c][d] (xs: [a][b][c][d]f32) : ([a][b][d]f32, [b][c]f32) =
  let lse [n] (v: [n]f32) =
    let m = f32.maximum v
    in m + f32.log (f32.sum (map (\x -> f32.exp (x - m)) v))
  let l = map (map (\p -> map lse (transpose p))) xs
  let s = tabulate_2d b c (\j k -> f32.sum (map f32.sum xs[:, j, k, :]))
  in (l, s)

-- | Covariance of groups of 3-d points, the moments reduced as one record.
entry cov3 [g][n] (ps: [g][n][3]f32) : [g][3][3]f32 =
  let add (x: {k: f32, s: [3]f32, q: [3][3]f32}) (y: {k: f32, s: [3]f32, q: [3][3]f32}) =
    {k = x.k + y.k, s = map2 (+) x.s y.s, q = map2 (map2 (+)) x.q y.q}
  let zero = {k = 0f32, s = replicate 3 0f32, q = replicate 3 (replicate 3 0f32)}
  in map (\pts ->
            let t = reduce add zero
                           (map (\p -> {k = 1, s = p, q = map (\x -> map (* x) p) p}) pts)
            let mu = map (/ t.k) t.s
            in map2 (\row x -> map2 (\q y -> q / t.k - x * y) row mu) t.q mu)
         ps

-- | One reduction over four small types at once, by rows; others by columns.
entry tiny_types [n][m] (h: [n][m]f16) (b: [n][m]i8) (w: [n][m]u16) (p: [n][m]bool)
  : ([n]f16, [n]i8, [n]u16, [n]bool, [m]i8, [m]f16) =
  let op (h1: f16, b1: i8, w1: u16, p1: bool) (h2, b2, w2, p2) =
    (f16.max h1 h2, i8.min b1 b2, w1 + w2, p1 != p2)
  let (r0, r1, r2, r3) =
    unzip4 (map4 (\a b c d -> reduce op (f16.lowest, i8.highest, 0, false) (zip4 a b c d))
                 h b w p)
  let c0 = map (reduce (+) 0i8) (transpose b)
  let c1 = reduce (map2 f16.min) (replicate m f16.highest) h
  in (r0, r1, r2, r3, c0, c1)

-- | Max-plus product of a chain of 3x3 matrices per row (best paths).
entry viterbi3 [n][m] (cost: [n][m][3][3]i32) : [n][3][3]i32 =
  let neg = -1000000000i32
  let mul (a: [3][3]i32) (b: [3][3]i32) =
    tabulate_2d 3 3 (\i j ->
      i32.max neg (i32.maximum (map (\k -> a[i, k] + b[k, j]) (iota 3))))
  let eye = tabulate_2d 3 3 (\i j -> if i == j then 0 else neg)
  in map (\ms -> reduce mul eye ms) cost

------------------------------------------------------------------------
-- Scans

def linop (a1: f32, b1: f32) (a2: f32, b2: f32) = (a1 * a2, b1 * a2 + b2)

-- | Linear recurrence down the first axis, then up again (zero-phase filter).
entry smooth_first [n][m] (a: [m]f32) (xs: [n][m]f32) : [n][m]f32 =
  let run k col = map (.1) (scan linop (1, 0) (map (\x -> (k, (1 - k) * x)) col))
  in transpose (map2 (\k col -> reverse (run k (reverse (run k col)))) a (transpose xs))

-- | Exclusive running maximum from the end along the middle axis (i16).
entry cummax_mid [a][b][c] (xs: [a][b][c]i16) : [a][b][c]i16 =
  map (\m ->
         let s = scan (map2 i16.max) (replicate c i16.lowest) (reverse m)
         let e = map (\i -> if i == 0 then replicate c (-1) else s[i - 1]) (iota b)
         in reverse e)
      xs

-- | Segmented sums in rows: inclusive and exclusive.
entry segsum_rows [n][m] (flags: [n][m]bool) (xs: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  unzip (map2 (\fs r ->
                 let op (f1, x1) (f2, x2) = (f1 || f2, if f2 then x2 else x1 + x2)
                 let (_, inc) = unzip (scan op (false, 0) (zip fs r))
                 in (inc, map2 (-) inc r))
              flags xs)

-- | Prefix products of 2x2 matrices (wrapping u32), every row by itself.
-- | Composition of plane maps (turn, shrink, shift): a scan of six values.
type aff = {xx: f64, xy: f64, yx: f64, yy: f64, tx: f64, ty: f64}
entry affine_path [n] (turn: [n]f64) (step: [n]f64) : ([n]f64, [n]f64) =
  let comp (p: aff) (q: aff) : aff =
    { xx = q.xx * p.xx + q.xy * p.yx, xy = q.xx * p.xy + q.xy * p.yy
    , yx = q.yx * p.xx + q.yy * p.yx, yy = q.yx * p.xy + q.yy * p.yy
    , tx = q.xx * p.tx + q.xy * p.ty + q.tx, ty = q.yx * p.tx + q.yy * p.ty + q.ty }
  let one : aff = {xx = 1, xy = 0, yx = 0, yy = 1, tx = 0, ty = 0}
  let s = scan comp one
               (map2 (\t d : aff -> let (c, s) = (0.97 * f64.cos t, 0.97 * f64.sin t)
                                    in {xx = c, xy = -s, yx = s, yy = c, tx = d, ty = d / 2})
                     turn step)
  in (map (.tx) s, map (.ty) s)

-- | Scans of small types along the first axis: f16 max, u16 sums, parity.
entry scan_tiny_first [n][m] (h: [n][m]f16) (w: [n][m]u16) (p: [n][m]bool)
  : ([n][m]f16, [n][m]u16, [n][m]bool) =
  ( transpose (map (scan f16.max f16.lowest) (transpose h))
  , scan (map2 (+)) (replicate m 0) w
  , transpose (map (\c -> reverse (scan (!=) false (reverse c))) (transpose p)) )

-- | Summed-area table and mean over a box about each pixel.
entry box_mean [h][w] (r: i64) (img: [h][w]i32) : [h][w]f32 =
  let sat = map (scan (+) 0) img |> transpose |> map (scan (+) 0) |> transpose
  let at i j = if i < 0 || j < 0 then 0 else sat[i, j]
  in tabulate_2d h w (\i j ->
       let (i0, i1) = (i64.max 0 (i - r), i64.min (h - 1) (i + r))
       let (j0, j1) = (i64.max 0 (j - r), i64.min (w - 1) (j + r))
       let s = at i1 j1 - at (i0 - 1) j1 - at i1 (j0 - 1) + at (i0 - 1) (j0 - 1)
       in f32.i32 s / f32.i64 ((i1 - i0 + 1) * (j1 - j0 + 1)))

------------------------------------------------------------------------
-- Histograms

-- | A histogram of bytes for every row, and the commonest byte.
entry hist_rows [n][m] (xs: [n][m]u8) : ([n][256]i32, [n]u8) =
  let hs = map (\r -> hist (+) 0 256 (map i64.u8 r) (replicate m 1i32)) xs
  let mode (h: [256]i32) =
    (reduce (\(c1, i1) (c2, i2) -> if c1 > c2 || (c1 == c2 && i1 < i2) then (c1, i1) else (c2, i2))
            (-1, 255) (zip h (map u8.i64 (iota 256)))).1
  in (hs, map mode hs)

-- | Sums and counts of rows by label (vector-valued histogram).
entry rows_by_label [n][d] (k: i64) (labels: [n]i32) (pts: [n][d]f32) : ([k][d]f32, [k]i32) =
  let is = map (\l -> i64.i32 l) labels
  in ( reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) is pts
     , reduce_by_index (replicate k 0) (+) 0 is (replicate n 1) )

def bin (q: i64) (x: u8) = i64.u8 x * q / 256

-- | Joint histogram of two channels (2-d), and its sums along both axes.
entry hist_2d [n] (q: i64) (r: [n]u8) (g: [n]u8) : ([q][q]i32, [q]i32, [q]i32) =
  let h = reduce_by_index_2d (replicate q (replicate q 0)) (+) 0
                             (map2 (\x y -> (bin q x, bin q y)) r g) (replicate n 1i32)
  in (h, map i32.sum h, map i32.sum (transpose h))

-- | Histogram of three channels (3-d) with maxima of bytes.
entry hist_3d [n] (q: i64) (r: [n]u8) (g: [n]u8) (b: [n]u8) : [q][q][q]u8 =
  reduce_by_index_3d (replicate q (replicate q (replicate q 0u8))) u8.max 0
                     (map3 (\x y z -> (bin q x, bin q y, bin q z)) r g b)
                     (map3 (\x y z -> x ^ y ^ z) r g b)

-- | Several operators on one index array; some keys fall outside and are lost.
entry hist_ops [n] (k: i64) (keys: [n]i32) (vals: [n]i32)
  : ([k]i32, [k]u32, [k]i64, [k]u8, [k]bool) =
  let is = map i64.i32 keys
  let mx = hist i32.max (-1) k is vals
  let pr = hist (*) 1u32 k is (map (\v -> u32.i32 v * 2 + 1) vals)
  let (_, am) = unzip (hist (\(x, i) (y, j) -> if x < y || (x == y && i < j) then (x, i) else (y, j))
                            (i32.highest, i64.highest) k is (zip vals (iota n)))
  let sat = hist (\x y -> let s = x + y in if s < x then 255 else s) 0u8 k is
                 (map (\v -> u8.i32 (v & 3)) vals)
  let al = hist (&&) true k is (map (>= 5) vals)
  in (mx, pr, am, sat, al)

-- | Tuple-valued histogram per row: sum, smallest, largest, count.
entry hist_tuple_rows [n][m] (k: i64) (keys: [n][m]i64) (vals: [n][m]f32)
  : ([n][k]f32, [n][k]f32, [n][k]f32, [n][k]i32) =
  let op (s1: f32, l1: f32, h1: f32, c1: i32) (s2, l2, h2, c2) =
    (s1 + s2, f32.min l1 l2, f32.max h1 h2, c1 + c2)
  in unzip4 (map2 (\ks vs ->
       unzip4 (reduce_by_index (replicate k (0, 1e9, -1e9, 0)) op (0, 1e9, -1e9, 0) ks
                               (map (\v -> (v, v, v, 1)) vs)))
       keys vals)

-- | Equalise every image a few times: histogram in a map in a loop.
entry equalise [b][n] (iters: i64) (imgs: [b][n]u8) : [b][n]u8 =
  loop imgs for t < iters do
    map (\im ->
           let h = reduce_by_index (replicate 64 0i64) (+) 0
                                   (map (\x -> i64.u8 (x >> 2)) im) (replicate n 1)
           let c = scan (+) 0 h
           in map (\x -> let y = 255 * c[i64.u8 (x >> 2)] / i64.max 1 n
                         in u8.i64 ((y + i64.u8 x * (t + 1)) / (t + 2)))
                  im)
        imgs

------------------------------------------------------------------------
-- Scatters, gathers, filters

-- | Quarter turns by scatters of points in 2-d and in 3-d.
entry scatter_turn [a][b][c] (s: i64) (xs: [a][b][c]i32) : ([c][b][a]i32, [b][a]i32) =
  let ix3 = flatten_3d (tabulate_3d a b c (\i j k -> (c - 1 - k, j, (i + s) % a)))
  let t = scatter_3d (replicate c (replicate b (replicate a (-1)))) ix3 (flatten_3d xs)
  let ix2 = flatten (tabulate_2d a b (\i j -> if (i + j) % 5 == 3 then (-1, 0) else (b - 1 - j, i)))
  let u = scatter_2d (replicate b (replicate a (-1))) ix2
                     (flatten (map (map i32.sum) xs))
  in (t, u)

-- | Move whole rows to new places in the given (consumed) array.
entry scatter_rows [n][k][d] (dest: [n][d]f32) (place: [k]i64) (rows: [k][d]f32) : [n][d]f32 =
  -- 'place' may have equal entries: the last of them wins, by its number.
  let last = reduce_by_index (replicate n (-1)) i64.max (-1) place (iota k)
  let is = map2 (\p i -> if p >= 0 && p < n && last[p] == i then p else -1) place (iota k)
  in scatter (copy dest) is rows

-- | Bilinear samples of an image at many points, coordinates clamped.
entry bilinear [h][w][n] (img: [h][w]f32) (ys: [n]f32) (xs: [n]f32) : [n]f32 =
  map2 (\y x ->
          let y = f32.max 0 (f32.min (f32.i64 (h - 1)) y)
          let x = f32.max 0 (f32.min (f32.i64 (w - 1)) x)
          let i = i64.min (i64.max 0 (h - 2)) (i64.f32 y)
          let j = i64.min (i64.max 0 (w - 2)) (i64.f32 x)
          let (i1, j1) = (i64.min (h - 1) (i + 1), i64.min (w - 1) (j + 1))
          let (u, v) = (y - f32.i64 i, x - f32.i64 j)
          in (1 - u) * ((1 - v) * img[i, j] + v * img[i, j1])
             + u * ((1 - v) * img[i1, j] + v * img[i1, j1]))
       ys xs

-- | Split a whole array in three by two predicates, keep numbers of a fourth.
entry split_by [n] (lo: i32) (hi: i32) (xs: [n]i32) : ([]i32, []i32, []i32, []i64) =
  let (a, b, c) = partition2 (< lo) (<= hi) xs
  let d = filter (\i -> xs[i] % 7 == 0) (iota n)
  in (a, b, reverse c, d)

-- | In each chunk (row) move the wanted to the front, keeping order; then
-- those of all chunks packed together.
entry compact_chunks [n][m] (t: f32) (xs: [n][m]f32) : ([n][m]f32, [n]i64, []f32) =
  let one (r: [m]f32) =
    let keep = map (\x -> if x > t then 1i64 else 0) r
    let off = scan (+) 0 keep
    let is = map2 (\k o -> if k == 1 then o - 1 else -1) keep off
    in (scatter (replicate m 0) is r, if m == 0 then 0 else off[m - 1])
  let (fronts, counts) = unzip (map one xs)
  let starts = map2 (-) (scan (+) 0 counts) counts
  let total = i64.sum counts
  let dest = map2 (\s c -> map (\j -> if j < c then s + j else -1) (iota m)) starts counts
  in (fronts, counts, scatter (replicate total 0) (flatten dest) (flatten fronts))

-- | Run-length coding of a whole array.
entry run_lengths [n] (xs: [n]u8) : ([]u8, []i64) =
  let [k] (starts: [k]i64) = filter (\i -> i == 0 || xs[i] != xs[i64.max 0 (i - 1)]) (iota n)
  let ends = map (\i -> if i + 1 < k then starts[i + 1] else n) (iota k)
  in (map (\i -> xs[i]) starts, map2 (-) ends starts)

-- | Sparse matrix (rows by offsets) times vector, by a segmented scan.
entry spmv_seg [r][nnz][n] (ptr: [r]i64) (col: [nnz]i32) (vs: [nnz]f32) (x: [n]f32) : [r]f32 =
  -- ptr[i]: the first entry of row i, ascending; row r-1 goes to the end.
  let end i = if i + 1 < r then ptr[i + 1] else nnz
  let flags = reduce_by_index (replicate nnz false) (||) false ptr (replicate r true)
  let prods = map2 (\c v -> v * x[i64.i32 c % n]) col vs
  let (_, s) = unzip (scan (\(f1, a) (f2, b) -> (f1 || f2, if f2 then b else a + b))
                           (false, 0) (zip flags prods))
  in map (\i -> if end i > ptr[i] then s[end i - 1] else 0) (iota r)

------------------------------------------------------------------------
-- Moving data about

-- | Transposes and rotations of a 3-d array, all axes.
entry axes_dance [a][b][c] (s: i64) (xs: [a][b][c]f32) : ([c][a][b]f32, [b][c][a]f32, [c][b][a]f32) =
  let cab = map transpose xs |> transpose             -- c, a, b
  let bca = transpose xs |> map transpose             -- b, c, a
  let rot = map (rotate s) cab |> map (map (rotate (-s)))
  let cba = transpose bca |> map (map reverse)
  in (rot, rotate (2 * s) bca, map2 (map2 (map2 (+))) cba (map transpose cab))

-- | Convolution of many channels through im2col and a matrix product.
entry im2col_conv [c][h][w][o] (img: [c][h][w]f32) (ker: [o][c][9]f32) : [o][h][w]f32 =
  let at k i j = if i < 0 || i >= h || j < 0 || j >= w then 0 else img[k, i, j]
  let cols = tabulate_2d h w (\i j ->
               flatten (tabulate_2d c 9 (\k t -> at k (i + t / 3 - 1) (j + t % 3 - 1))))
             |> flatten
  let ks = map flatten ker
  in map (\q -> unflatten (map (\p -> f32.sum (map2 (*) p q)) cols)) ks

-- | Padding, concatenation, slices with strides forwards and backwards.
entry stride_mix [n][m] (p: i64) (xs: [n][m]i32) : ([][]i32, [][]i32, []i32) =
  let p = i64.max 0 p
  let padded = map (\r -> replicate p (-1) ++ r ++ replicate p (-2)) xs
  let a = padded[::-2]
  let q = (m + 2) / 3
  let b = map (\r -> (r[::3] :> [q]i32) ++ (r[::-3] :> [q]i32)) xs
  let f = flatten xs
  let g = f[1:] ++ f[:1]
  let h = map2 (+) (g[::-1] :> [n * m]i32) f
  in (a ++ replicate 1 (replicate (p + m + p) 7), transpose b, h[::2] ++ h[1::2])

-- | Interleave three arrays; take apart again; zip ends with middles.
entry interleave3 [n] (x: [n]f32) (y: [n]f32) (z: [n]f32) : ([]f32, [n]f32, [n]f32) =
  let w = flatten (transpose [x, y, z])
  let (u, v) = (w[0:3 * n:3] :> [n]f32, w[2:3 * n:3] :> [n]f32)
  in (w[::-1], map2 (\a b -> a * 2 - b) u (reverse v), map2 f32.max (rotate 1 u) v)

-- | Kronecker product.
entry kron [p][q][r][s] (a: [p][q]f32) (b: [r][s]f32) : [p * r][q * s]f32 =
  flatten (map (\ar -> map (\br -> flatten (map (\x -> map (* x) br) ar)) b) a)

-- | Broadcasts of small vectors over a grid, with sums over one axis each.
entry broadcast_mix [a][b][c] (u: [a]f32) (v: [b]f32) (w: [c]f32) (g: [a][c]f32)
  : ([a][b][c]f32, [b][c]f32) =
  let t = map2 (\x gr -> map (\y -> map2 (\z h -> x * y + z * h) w gr) v) u g
  let s = reduce (map2 (map2 (+))) (replicate b (replicate c 0)) t
  in (t, map2 (\y -> map2 (\z e -> e / (1 + f32.abs (y * z))) w) v s)

------------------------------------------------------------------------
-- Sequential work on small private arrays

-- | Insertion sort of every (short) row.
entry insertion_rows [n][k] (xs: [n][k]i32) : [n][k]i32 =
  map (\r ->
         loop a = copy r for i in 1..<k do
           let v = a[i]
           let (a, j) = loop (a, j) = (a, i) while j > 0 && a[j - 1] > v do
             let u = a[j - 1] in (a with [j] = u, j - 1)
           in a with [j] = v)
      xs

-- | Running median of nine along rows, the borders reflected.
entry median9 [n][m] (xs: [n][m]f32) : [n][m]f32 =
  let refl i = let i = if i < 0 then -i else i
               let i = if i >= m then 2 * (m - 1) - i else i
               in i64.max 0 (i64.min (m - 1) i)
  in map (\r ->
            map (\i ->
                   let a = map (\d -> r[refl (i + d - 4)]) (iota 9)
                   -- Selection of the five smallest.
                   let a = loop a for p < 5i64 do
                     let best = loop b = p for q in p + 1..<9 do if a[q] < a[b] then q else b
                     let (x, y) = (a[p], a[best])
                     let a = a with [p] = y
                     in a with [best] = x
                   in a[4])
                (iota m))
         xs

-- | Small linear systems with row pivoting (diagonal made heavy).
entry solve_small [n][k] (as: [n][k][k]f32) (bs: [n][k]f32) : [n][k]f32 =
  map2 (\a b ->
          let a = tabulate_2d k k (\i j -> a[i, j] + (if i == (j + 1) % k then 2 * f32.i64 k else 0))
          let (a, b) = loop (a, b) = (a, copy b) for p < k do
            let piv = loop q = p for i in p + 1..<k do
                        if f32.abs a[i, p] > f32.abs a[q, p] then i else q
            let (rp, rq) = (copy a[p], copy a[piv])
            let (bp, bq) = (b[p], b[piv])
            let a = a with [p, :] = rq
            let a = a with [piv, :] = rp
            let b = b with [p] = bq
            let b = b with [piv] = bp
            in loop (a, b) for i in p + 1..<k do
                 let f = a[i, p] / a[p, p]
                 let a = loop a for j in p..<k do
                   let v = a[i, j] - f * a[p, j] in a with [i, j] = v
                 let v = b[i] - f * b[p]
                 in (a, b with [i] = v)
          in loop b for t < k do
               let i = k - 1 - t
               let s = loop s = b[i] for j in i + 1..<k do s - a[i, j] * b[j]
               in b with [i] = s / a[i, i])
       as bs

-- | Tridiagonal systems, one a column (Thomas): unknowns along the first axis.
entry thomas_first [n][m] (lo: [n][m]f32) (up: [n][m]f32) (rhs: [n][m]f32) : [n][m]f32 =
  let solve (l: [n]f32) (u: [n]f32) (d: [n]f32) : [n]f32 =
    let (c, x) = loop (c, x) = (replicate n 0f32, replicate n 0f32) for i < n do
      let (cp, xp) = if i == 0 then (0, 0) else (c[i - 1], x[i - 1])
      let w = 4 - l[i] * cp
      in (c with [i] = u[i] / w, x with [i] = (d[i] - l[i] * xp) / w)
    in loop x for t in 1..<n do
         let i = n - 1 - t
         let v = x[i] - c[i] * x[i + 1]
         in x with [i] = v
  in transpose (map3 solve (transpose lo) (transpose up) (transpose rhs))

-- | The k largest of each row (descending), kept in a private array, and the
-- three largest by a parallel reduction of triples.
entry topk_rows [n][m] (k: i64) (xs: [n][m]i32) : ([n][k]i32, [n][3]i32) =
  let seq (r: [m]i32) =
    loop best = replicate k i32.lowest for x in r do
      if k == 0 || x <= best[k - 1] then best
      else let (best, j) = loop (best, j) = (best, k - 1) while j > 0 && best[j - 1] < x do
             let u = best[j - 1] in (best with [j] = u, j - 1)
           in best with [j] = x
  let ins (a, b, c) x : (i32, i32, i32) =
    if x > a then (x, a, b) else if x > b then (a, x, b) else if x > c then (a, b, x) else (a, b, c)
  let op s (a, b, c) = ins (ins (ins s a) b) c
  let lo = i32.lowest
  let par (r: [m]i32) =
    let (a, b, c) = reduce op (lo, lo, lo) (map (\x -> (x, lo, lo)) r) in [a, b, c]
  in (map seq xs, map par xs)

------------------------------------------------------------------------
-- Loops outside, maps and reductions inside

-- | Bitonic sorting network on every row, padded to a power of two.
entry bitonic_rows [n][m] (xs: [n][m]u16) : [n][m]u16 =
  let bits = loop b = 0i64 while (1 << b) < m do b + 1
  let q = 1 << bits
  let pad = map (\r -> map (\i -> if i < m then r[i] else u16.highest) (iota q)) xs
  let done = loop pad for s < bits do
    loop pad for t < s + 1 do
      let d = 1 << (s - t)
      in map (\r -> map (\i ->
                let j = i ^ d
                let up = (i >> (s + 1)) & 1 == 0
                in if (i < j) == up then u16.min r[i] r[j] else u16.max r[i] r[j])
              (iota q)) pad
  in map (\r -> take m r) done

-- | Sort keys with their numbers: a radix sort, two bits a pass.
entry radix_pairs [n] (keys: [n]u32) : ([n]u32, [n]i32) =
  let pass (ks: [n](u32, i32)) (b: i32) : [n](u32, i32) =
    let digit (k, _) = i32.u32 ((k >> u32.i32 b) & 3)
    let oh = map (\k -> let d = digit k
                        in ( i64.bool (d == 0), i64.bool (d == 1)
                           , i64.bool (d == 2), i64.bool (d == 3))) ks
    let add (a, b, c, d) (e, f, g, h) = (a + e, b + f, c + g, d + h) : (i64, i64, i64, i64)
    let ps = scan add (0, 0, 0, 0) oh
    let (n0, n1, n2, _) = if n == 0 then (0, 0, 0, 0) else ps[n - 1]
    let is = map2 (\k (a, b, c, d) ->
                     match digit k
                     case 0 -> a - 1
                     case 1 -> n0 + b - 1
                     case 2 -> n0 + n1 + c - 1
                     case _ -> n0 + n1 + n2 + d - 1) ks ps
    in scatter (copy ks) is ks
  in unzip (loop ks = zip keys (map i32.i64 (iota n)) for b < 16i32 do pass ks (2 * b))

-- | Power iteration on a positive matrix: the eigenvalue and vector.
entry power_iter [n] (iters: i64) (a: [n][n]f32) : (f32, [n]f32) =
  loop (_l, v) = (0, replicate n (1 / f32.sqrt (f32.i64 n))) for _t < iters do
    let w = map (\r -> f32.sum (map2 (*) r v)) a
    let nrm = f32.sqrt (f32.sum (map (\x -> x * x) w))
    in (nrm, map (/ nrm) w)

-- | Lloyd's algorithm on points of whole coordinates (exact sums).
entry lloyd [n][d] (k: i64) (iters: i64) (pts: [n][d]i32) : ([k][d]i32, [k]i32) =
  let start = map (\i -> map (\x -> x + i32.i64 i) pts[i * n / k]) (iota k)
  in loop (cs, _) = (start, replicate k 0i32) for _t < iters do
       let near p =
         let dist c = i32.sum (map2 (\x y -> (x - y) * (x - y)) p c)
         in (loop (bd, bi) = (i32.highest, 0) for i < k do
               let q = dist cs[i] in if q < bd then (q, i) else (bd, bi)).1
       let ls = map near pts
       let cnt = hist (+) 0 k ls (replicate n 1i32)
       let sums = hist (map2 (+)) (replicate d 0i32) k ls pts
       in (map3 (\s c old -> if c == 0 then old else map (/ c) s) sums cnt cs, cnt)

-- | Jacobi relaxation with a source until the largest change is small.
entry relax [h][w] (tol: f32) (maxit: i32) (src: [h][w]f32) : [h][w]f32 =
  let (u, _, _) =
    loop (u, err, it) = (src, f32.highest, 0) while err > tol && it < maxit do
      let at i j = if i < 0 || i >= h || j < 0 || j >= w then 0 else u[i, j]
      let v = tabulate_2d h w (\i j ->
                0.2 * (at (i - 1) j + at (i + 1) j + at i (j - 1) + at i (j + 1)) + src[i, j])
      let e = flatten (map2 (map2 (\x y -> f32.abs (x - y))) u v) |> f32.maximum
      in (v, e, it + 1)
  in u

-- | Haar pyramid of every row, the lengths halving.
entry haar_rows [b][n] (xs: [b][n]f32) : [b][n]f32 =
  let (_, top, out) =
    loop (m, cur: [b][]f32, out) = (n, xs, replicate b (replicate n 0f32)) while m > 1 do
      let half = m / 2
      let m' = m - half
      let next = map (\r -> map (\i -> if i < half then (r[2 * i] + r[2 * i + 1]) / 2 else r[m - 1])
                                (iota m')) cur
      let det = map (\r -> map (\i -> (r[2 * i] - r[2 * i + 1]) / 2) (iota half)) cur
      in (m', next, out with [:, m':m] = (det :> [b][m - m']f32))
  in if n == 0 then out else out with [:, 0] = map (\r -> r[0]) top

-- | Corner cutting of closed plane curves, the lengths doubling.
entry chaikin [b][n] (steps: i64) (x: [b][n]f32) (y: [b][n]f32) : ([b][]f32, [b][]f32) =
  let cut [m] (r: [m]f32) : [m * 2]f32 =
    flatten (map (\i -> let (p, q) = (r[i], r[(i + 1) % m])
                        in [0.75 * p + 0.25 * q, 0.25 * p + 0.75 * q]) (iota m))
  let (fx, fy) = loop (u: [b][]f32, v: [b][]f32) = (x, y) for _t < steps do (map cut u, map cut v)
  in (fx, fy)

-- | Irregular work: for each cell of a table a while loop, summed by rows,
-- and a count of steps along the first axis.
entry collatz_table [n][m] (xs: [n][m]i32) : ([n]i64, [m]i32) =
  let steps (x: i32) : i32 =
    (loop (v, s) = (i64.i32 (i32.max 1 x), 0i32) while v != 1 && s < 400 do
       (if v % 2 == 0 then v / 2 else 3 * v + 1, s + 1)).1
  let t = map (map steps) xs
  in (map (\r -> i64.sum (map i64.i32 r)) t, map i32.maximum (transpose t))

-- | Edit distance of many pairs of words, a row of the table at a time, the
-- dependence along the row by a scan of minima.
entry edit_batch [n][p][q] (as: [n][p]u8) (bs: [n][q]u8) : [n]i32 =
  map2 (\a b ->
          let first = map i32.i64 (iota (q + 1))
          let last = loop row = first for i < p do
            let t = map (\j -> if j == 0 then i32.i64 i + 1
                               else i32.min (row[j] + 1)
                                            (row[j - 1] + i32.bool (a[i] != b[j - 1])))
                        (iota (q + 1))
            in map2 (\j v -> v + i32.i64 j) (iota (q + 1))
                    (scan i32.min i32.highest (map2 (\j v -> v - i32.i64 j) (iota (q + 1)) t))
          in last[q])
       as bs

------------------------------------------------------------------------
-- Stencils

-- | 1-d: five points along rows with the four kinds of borders.
entry borders_1d [n][m] (kind: i32) (wt: [5]f32) (xs: [n][m]f32) : [n][m]f32 =
  let at (r: [m]f32) i =
    if i >= 0 && i < m then r[i]
    else match kind
         case 0 -> 0
         case 1 -> r[i64.max 0 (i64.min (m - 1) i)]
         case 2 -> r[i % m]
         case _ -> let k = i % (2 * m) in r[if k < m then k else 2 * m - 1 - k]
  in map (\r -> tabulate m (\i -> wt[0] * at r (i - 2) + wt[1] * at r (i - 1) + wt[2] * at r i
                                  + wt[3] * at r (i + 1) + wt[4] * at r (i + 2))) xs

-- | 2-d: life on a torus, by rotations; the living counted by rows.
entry life_torus [h][w] (gens: i64) (w0: [h][w]bool) : ([h][w]bool, [h]i32) =
  let g = loop g = w0 for _t < gens do
    let v = map (map i8.bool) g
    let s3 = map3 (map3 (\a b c -> a + b + c)) (rotate (-1) v) v (rotate 1 v)
    let s9 = map (\r -> map3 (\a b c -> a + b + c) (rotate (-1) r) r (rotate 1 r)) s3
    in map2 (map2 (\c s -> s == 3 || (c && s == 4))) g s9
  in (g, map (\r -> i32.sum (map i32.bool r)) g)

-- | 3-d: heat, periodic in the first axis, insulated in the second, cold in the third.
entry heat_3d [a][b][c] (steps: i64) (u0: [a][b][c]f32) : ([a][b][c]f32, [c]f32) =
  let u = loop u = u0 for _t < steps do
    tabulate_3d a b c (\i j k ->
      let x = u[i, j, k]
      let s = u[(i + 1) % a, j, k] + u[(i + a - 1) % a, j, k]
              + u[i, i64.max 0 (j - 1), k] + u[i, i64.min (b - 1) (j + 1), k]
              + (if k == 0 then 0 else u[i, j, k - 1]) + (if k == c - 1 then 0 else u[i, j, k + 1])
      in x + 0.1 * (s - 6 * x))
  in (u, map (\k -> f32.sum (map f32.sum u[:, :, k]) / f32.i64 (a * b)) (iota c))

------------------------------------------------------------------------
-- In-place updates in loops

-- | All shortest paths, a row and a column of each step held fast.
entry floyd [n] (d0: [n][n]i32) : [n][n]i32 =
  loop d = copy d0 for k < n do
    let row = copy d[k]
    let col = copy d[:, k]
    let e = map2 (\c r -> map2 (\x y -> i32.min x (c + y)) r row) col d
    let e = e with [k, :] = row
    in e with [:, k] = col

-- | Inverse of a heavy-diagonal matrix by Gauss-Jordan, rows written in place.
entry invert [n] (a0: [n][n]f32) : [n][n]f32 =
  let a = tabulate_2d n n (\i j -> a0[i, j] + (if i == j then f32.i64 n else 0))
  let b = tabulate_2d n n (\i j -> if i == j then 1 else 0)
  in (loop (a, b) for k < n do
        let p = a[k, k]
        let ra = map (/ p) a[k]
        let rb = map (/ p) b[k]
        let a' = map (\r -> let f = r[k] in map2 (\x y -> x - f * y) r ra) a
        let b' = map2 (\r s -> let f = r[k] in map2 (\x y -> x - f * y) s rb) a b
        in (a' with [k, :] = ra, b' with [k, :] = rb)).1

-- | Cheapest way through a table from left to right, column by column in place,
-- and from top to bottom, row by row.
entry seam [h][w] (cost: [h][w]i32) : ([h][w]i32, [h][w]i32) =
  let best [n] (v: [n]i32) i = i32.min v[i] (i32.min v[i64.max 0 (i - 1)] v[i64.min (n - 1) (i + 1)])
  let cols = loop t = copy cost for j in 1..<w do
    let prev = t[:, j - 1]
    let new = map (\i -> t[i, j] + best prev i) (iota h)
    in t with [:, j] = new
  let rows = loop t = copy cost for i in 1..<h do
    let prev = t[i - 1]
    let new = map (\j -> t[i, j] + best prev j) (iota w)
    in t with [i, :] = new
  in (cols, rows)

------------------------------------------------------------------------
-- Derivatives

-- | Gradient of the cross entropy of a softmax layer, to the weights.
entry grad_softmax [n][d][k] (w: [d][k]f32) (x: [n][d]f32) (y: [n]i64) : [d][k]f32 =
  let loss (w: [d][k]f32) =
    f32.sum (map2 (\r l ->
                     let z = map (\c -> f32.sum (map2 (*) r c)) (transpose w)
                     let m = f32.maximum z
                     in m + f32.log (f32.sum (map (\v -> f32.exp (v - m)) z)) - z[l % k])
                  x y) / f32.i64 n
  in vjp loss w 1

-- | Backwards through a linear recurrence in every row.
entry grad_linrec [n][m] (a: [n][m]f32) (b: [n][m]f32) (seed: [n][m]f32) : ([n][m]f32, [n][m]f32) =
  let f (u: [m]f32, v: [m]f32) : [m]f32 = map (.1) (scan linop (1, 0) (zip u v))
  in unzip (map3 (\u v s -> vjp f (u, v) s) a b seed)

-- | Gradient through a histogram and a gather.
entry grad_hist [n] (k: i64) (keys: [n]i64) (xs: [n]f32) (c: [k]f32) : ([n]f32, [k]f32) =
  let is = map (\i -> i % k) keys
  let f (xs: [n]f32, c: [k]f32) =
    let h = reduce_by_index (replicate k 0) (+) 0 is (map2 (\x i -> x * c[i]) xs is)
    in f32.sum (map (\v -> v * v / (1 + f32.abs v)) h)
  in vjp f (xs, c) 1

-- | Derivative in a direction of a few nonlinear diffusion steps (2-d).
entry jvp_diffuse [h][w] (steps: i64) (u: [h][w]f64) (du: [h][w]f64) : [h][w]f64 =
  let f (u: [h][w]f64) : [h][w]f64 =
    loop u for _t < steps do
      tabulate_2d h w (\i j ->
        let x = u[i, j]
        let g y = (y - x) / (1 + (y - x) * (y - x))
        in x + 0.15 * (g u[i64.max 0 (i - 1), j] + g u[i64.min (h - 1) (i + 1), j]
                       + g u[i, (j + 1) % w] + g u[i, (j + w - 1) % w]))
  in jvp f u du

-- | Derivative of the end of small loops, one a point, to their parameters.
entry grad_ode [n] (steps: i64) (x0: [n]f64) (par: [n][2]f64) : ([n]f64, [n][2]f64) =
  let f (x: f64, p: [2]f64) =
    loop x for _t < steps do x + 0.01 * (p[0] * x * (1 - x) - p[1] * f64.sin x)
  in unzip (map2 (\x p -> vjp f (x, p) 1) x0 par)

------------------------------------------------------------------------
-- Records, tuples of arrays, modules

module type monoid = {
  type t
  val zero : t
  val op : t -> t -> t
}

module type vec = {
  type vec 'a
  val lift 'a : a -> vec a
  val vmap 'a 'b : (a -> b) -> vec a -> vec b
  val vmap2 'a 'b 'c : (a -> b -> c) -> vec a -> vec b -> vec c
  val fold 'a : (a -> a -> a) -> vec a -> a
  val from3 'a : a -> a -> a -> vec a
  val to3 'a : vec a -> (a, a, a)
}

module vec3 : vec = {
  type vec 'a = {x: a, y: a, z: a}
  def lift 'a (v: a) : vec a = {x = v, y = v, z = v}
  def vmap 'a 'b (f: a -> b) (v: vec a) : vec b = {x = f v.x, y = f v.y, z = f v.z}
  def vmap2 'a 'b 'c (f: a -> b -> c) (u: vec a) (v: vec b) : vec c =
    {x = f u.x v.x, y = f u.y v.y, z = f u.z v.z}
  def fold 'a (f: a -> a -> a) (v: vec a) : a = f (f v.x v.y) v.z
  def from3 'a (x: a) (y: a) (z: a) : vec a = {x, y, z}
  def to3 'a (v: vec a) = (v.x, v.y, v.z)
}

module segmented (M: monoid) = {
  type t = M.t
  def segscan [n] (flags: [n]bool) (xs: [n]M.t) : [n]M.t =
    scan (\(f1, x) (f2, y) -> (f1 || f2, if f2 then y else M.op x y)) (false, M.zero)
         (zip flags xs)
    |> map (.1)
}

module boxes = segmented {
  type t = {lo: vec3.vec i32, hi: vec3.vec i32, n: i32}
  def zero : t = {lo = vec3.lift i32.highest, hi = vec3.lift i32.lowest, n = 0}
  def op (a: t) (b: t) : t =
    {lo = vec3.vmap2 i32.min a.lo b.lo, hi = vec3.vmap2 i32.max a.hi b.hi, n = a.n + b.n}
}

-- | Growing bounding boxes of runs of points: volume and count so far.
entry run_boxes [n] (flags: [n]bool) (x: [n]i32) (y: [n]i32) (z: [n]i32) : ([n]i64, [n]i32) =
  let ps = map3 vec3.from3 x y z
  let s = boxes.segscan flags (map (\p -> {lo = p, hi = p, n = 1}) ps)
  in unzip (map (\(b: boxes.t) -> ( vec3.fold (*) (vec3.vmap2 (\h l -> i64.i32 h - i64.i32 l + 1) b.hi b.lo)
                       , b.n)) s)

type body = {pos: vec3.vec f32, vel: vec3.vec f32, mass: f32}

-- | Softened attraction of all on all: arrays of records, a few steps.
entry bodies [n] (steps: i64) (p: [n][3]f32) (v: [n][3]f32) (mass: [n]f32) : ([n][3]f32, f32) =
  let vec (a: [3]f32) = vec3.from3 a[0] a[1] a[2]
  let bs = map3 (\p v m : body -> {pos = vec p, vel = vec v, mass = m}) p v mass
  let step (bs: [n]body) : [n]body =
    map (\(b: body) ->
           let pull (o: body) =
             let d = vec3.vmap2 (-) o.pos b.pos
             let r2 = vec3.fold (+) (vec3.vmap (\t -> t * t) d) + 1
             let s = o.mass / (r2 * f32.sqrt r2)
             in vec3.vmap (* s) d
           let acc = reduce (vec3.vmap2 (+)) (vec3.lift 0) (map pull bs)
           let vel = vec3.vmap2 (\u a -> u + 0.001 * a) b.vel acc
           let pos = vec3.vmap2 (\u a -> u + 0.001 * a) b.pos vel
           in b with vel = vel with pos = pos)
        bs
  let bs = loop bs for _t < steps do step bs
  let energy = f32.sum (map (\b -> 0.5 * b.mass * vec3.fold (+) (vec3.vmap (\t -> t * t) b.vel)) bs)
  in (map (\b -> let (x, y, z) = vec3.to3 b.pos in [x, y, z]) bs, energy)

