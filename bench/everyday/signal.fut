-- Signals and simulation.

-- Fourier transforms over any kind of real numbers.
module mk_fft (R: real) = {
  type c = (R.t, R.t)
  def add (a: c) (b: c) : c = (a.0 R.+ b.0, a.1 R.+ b.1)
  def sub (a: c) (b: c) : c = (a.0 R.- b.0, a.1 R.- b.1)
  def mul (a: c) (b: c) : c = (a.0 R.* b.0 R.- a.1 R.* b.1, a.0 R.* b.1 R.+ a.1 R.* b.0)
  -- Stockham's; the size is a power of two.
  def fft [n] (xs: [n]c) : [n]c =
    let bits = i64.ctz n
    in loop xs for s < bits do
         let ns = 1 << i64.i32 s
         in tabulate n (\k ->
              let r = k % ns
              let j = k / (2 * ns) * ns + r
              let angle = R.neg R.pi R.* R.i64 r R./ R.i64 ns
              let v = mul xs[j + n / 2] (R.cos angle, R.sin angle)
              in if k / ns % 2 == 0 then add xs[j] v else sub xs[j] v)
  def power (a: c) : R.t = a.0 R.* a.0 R.+ a.1 R.* a.1
}

module fft32 = mk_fft f32
module fft64 = mk_fft f64

-- The power of overlapping windows.
entry stft [n][m] (hop: i64) (window: [m]f32) (x: [n]f32) : ([][]f32, [m]f32) =
  let frames = (n - m) / hop + 1
  let spectrum f =
    let frame = map2 (\i w -> (w * x[f * hop + i], 0)) (iota m) window
    in map fft32.power (fft32.fft frame)
  let powers = map spectrum (iota frames)
  let welch = map (\col -> f32.sum col / f32.i64 frames) (transpose powers)
  in (map (\p -> take (m / 2 + 1) p) powers, welch)

-- The envelope by Hilbert's transform, for each channel.
entry envelope [c][n] (x: [c][n]f64) : [c][n]f64 =
  let hilbert row =
    let f = fft64.fft (map (\a -> (a, 0)) row)
    let keep i = if i == 0 || i == n / 2 then 1 else if i < n / 2 then 2 else 0
    let g = map2 (\i (a, b) -> (a * keep i, -b * keep i)) (iota n) f
    in map (\z -> f64.sqrt (fft64.power z) / f64.i64 n) (fft64.fft g)
  in map hilbert x

-- Recursive filters by scans of affine maps, two stages of them.
def recursive [n] (a: f32) (xs: [n]f32) : [n]f32 =
  let after (a, b) (c, d) = (a * c, b * c + d)
  in scan after (1, 0) (map (\x -> (a, x)) xs) |> map (.1)

entry iir_scan [c][n] (as: [c]f32) (bs: [c]f32) (xs: [c][n]f32) : ([c][n]f32, [c]f32) =
  let ys = map3 (\a b x -> x |> recursive a |> reverse |> recursive b |> reverse) as bs xs
  in (ys, map (\y -> f32.maximum (map f32.abs y)) ys)

-- A bank of filters that keeps every few samples.
entry fir_bank [k][m][n] (keep: i64) (taps: [k][m]f32) (x: [n]f32) : ([k][]f32, [k]f32) =
  let outs = (n - m) / keep + 1
  let filtered = map (\ts -> map (\o -> f32.sum (map2 (\j t -> t * x[o * keep + j]) (iota m) ts)) (iota outs)) taps
  in (filtered, map (\y -> f32.sqrt (f32.sum (map (\a -> a * a) y) / f32.i64 outs)) filtered)

-- Least mean squares, for many channels.
entry lms [c][n] (mu: f32) (x: [c][n]f32) (d: [c][n]f32) : ([c][8]f32, [c][n]f32) =
  unzip (map2 (\xs ds ->
    loop (w, errs) = (replicate 8 0, replicate n 0) for i < n do
      let past = tabulate 8 (\j -> if i >= j then xs[i - j] else 0)
      let e = ds[i] - f32.sum (map2 (*) w past)
      let power = 0.5 + f32.sum (map (\p -> p * p) past)
      in (map2 (\a p -> a + mu * e * p / power) w past, errs with [i] = e)) x d)

-- Levels of a whole-number wavelet by lifting.
def lift [m] (xs: [m]i32) : [m]i32 =
  let half = m / 2
  let evens = m - half
  let even i = xs[2 * i64.min i (evens - 1)]
  let detail = tabulate half (\i -> xs[2 * i + 1] - ((even i + even (i + 1)) >> 1))
  let det i = if half == 0 then 0 else detail[i64.max 0 (i64.min i (half - 1))]
  let smooth = tabulate evens (\i -> xs[2 * i] + ((det (i - 1) + det i + 2) >> 2))
  in (smooth ++ detail) :> [m]i32

entry lifting [b][n] (levels: i64) (x: [b][n]i32) : ([b][n]i32, [b]i64) =
  let wavelet (row: [n]i32) =
    loop row = copy row for l < levels do
      let m = (n + (1 << l) - 1) >> l
      in row with [0:m] = copy (lift row[0:m])
  let ys = map wavelet x
  in (ys, map (\y -> i64.sum (map (\a -> i64.i32 (i32.abs a)) y)) ys)

-- Medians of three by three.
entry median3 [h][w] (img: [h][w]i16) : ([h][w]i16, i64) =
  let order a b = (i16.min a b, i16.max a b)
  let sort3 (a, b, c) =
    let (a, b) = order a b
    let (b, c) = order b c
    let (a, b) = order a b
    in (a, b, c)
  let px i j = img[i64.max 0 (i64.min i (h - 1)), i64.max 0 (i64.min j (w - 1))]
  let median i j =
    let (a, b, c) = sort3 (px (i-1) (j-1), px (i-1) j, px (i-1) (j+1))
    let (d, e, f) = sort3 (px i (j-1), px i j, px i (j+1))
    let (g, h, k) = sort3 (px (i+1) (j-1), px (i+1) j, px (i+1) (j+1))
    let lows = i16.max a (i16.max d g)
    let highs = i16.min c (i16.min f k)
    in (sort3 (lows, (sort3 (b, e, h)).1, highs)).1
  let out = tabulate_2d h w median
  let change = map2 (\r s -> i64.sum (map2 (\a b -> i64.abs (i64.i16 a - i64.i16 b)) r s)) img out
  in (out, i64.sum change)

-- A Kalman filter of place and speed, for each channel.
type track = {x: f64, v: f64, p: f64, c: f64, s: f64}

def kalman_step (q: f64) (r: f64) (k: track) (z: f64) : (track, f64) =
  let x = k.x + k.v
  let p = k.p + 2 * k.c + k.s + q / 3
  let c = k.c + k.s + q / 2
  let s = k.s + q
  let total = p + r
  let e = z - x
  let (g, h) = (p / total, c / total)
  in ({x = x + g * e, v = k.v + h * e, p = (1 - g) * p, c = (1 - g) * c, s = s - h * c},
      0.5 * (e * e / total + f64.log total))

entry kalman [c][n] (q: f64) (r: f64) (zs: [c][n]f64) : ([c][n]f64, [c]f64, [c]f64) =
  unzip3 (map (\z ->
    let (out, k, cost) =
      loop (out, k, cost) = (replicate n 0, {x = z[0], v = 0, p = r, c = 0, s = 1}, 0) for i < n do
        let (k, l) = kalman_step q r k z[i]
        in (out with [i] = k.x, k, cost + l)
    in (out, k.v, cost)) zs)

-- Sweeps of the Ising model over a chequerboard, with hashed random numbers.
def scramble (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

entry ising [h][w] (sweeps: i32) (seed: u32) (chance: [9]u32) (start: [h][w]bool) : ([h]i64, i64) =
  let spins = map (map (\b -> if b then 1i8 else -1)) start
  let half (s: i32) (spins: [h][w]i8) =
    tabulate_2d h w (\i j ->
      let here = spins[i, j]
      let field = spins[(i + 1) % h, j] + spins[(i + h - 1) % h, j]
                  + spins[i, (j + 1) % w] + spins[i, (j + w - 1) % w]
      let luck = scramble (seed + u32.i32 s * 0x9e3779b9 ^ scramble (u32.i64 (i * w + j)))
      in if (i + j) % 2 == i64.i32 (s % 2) && luck < chance[i64.i8 (4 + here * field)]
         then -here else here)
  let spins = loop spins for s < 2 * sweeps do half s spins
  let energy = i64.sum (map2 (\a b -> i64.sum (map3 (\x y z -> i64.i8 (x * (y + z))) a b (rotate 1 a)))
                             spins (rotate 1 spins))
  in (map (\row -> i64.sum (map i64.i8 row)) spins, -energy)

-- Histograms of slices made even.
entry equalize [s][h][w] (slices: [s][h][w]u8) : ([s][h][w]u8, [s][256]i32) =
  let slice (img: [h][w]u8) =
    let counts = hist (+) 0i32 256 (map i64.u8 (flatten img)) (replicate (h * w) 1)
    let upto = scan (+) 0 counts
    let table = map (\c -> u8.i64 (i64.i32 c * 255 / (h * w))) upto
    in (map (map (\p -> table[i64.u8 p])) img, upto)
  in unzip (map slice slices)

-- All 27 neighbours in three dimensions.
entry stencil27 [a][b][c] (steps: i32) (ws: [3][3][3]f32) (x: [a][b][c]f32) : ([a][b][c]f32, f32) =
  let wrap n i = if i < 0 then i + n else if i >= n then i - n else i
  let total = f32.sum (flatten (flatten ws))
  let step (x: [a][b][c]f32) =
    tabulate_3d a b c (\i j k ->
      let s = loop s = 0 for p < 3 do
                loop s for q < 3 do
                  loop s for r < 3 do
                    s + ws[p, q, r] * x[wrap a (i + p - 1), wrap b (j + q - 1), wrap c (k + r - 1)]
      in s / total)
  let y = iterate steps step x
  in (y, f32.maximum (map f32.maximum (map (map f32.maximum) y)))

-- Pendulums by Runge and Kutta, with what the start changes in the end.
entry pendulums [n] (steps: i32) (dt: f64) (angles: [n]f64) (speeds: [n]f64) (damp: f64) : ([n]f64, [n]f64, [n]f64) =
  let slope (a, v) = (v, -f64.sin a - damp * v)
  let along (a, v) k (da, dv) : (f64, f64) = (a + k * da, v + k * dv)
  let step y =
    let k1 = slope y
    let k2 = slope (along y (dt / 2) k1)
    let k3 = slope (along y (dt / 2) k2)
    let k4 = slope (along y dt k3)
    let part = \f -> (f k1 + 2 * f k2 + 2 * f k3 + f k4) / 6
    in along y dt (part (.0), part (.1))
  let run v a = loop y = (a, v) for _i < steps do step y
  in unzip3 (map2 (\a v ->
       let (y, dy) = jvp2 (run v) a 1
       in (y.0, y.1, dy.0)) angles speeds)

-- Integrals up to points of a curve between knots, found by halving.
entry integrals [m][n] (xs: [m]f64) (ys: [m]f64) (points: [n]f64) : ([n]f64, [n]f64) =
  let areas = map (\i -> if i == 0 then 0 else (xs[i] - xs[i-1]) * (ys[i] + ys[i-1]) / 2) (iota m)
  let upto = scan (+) 0 areas
  let find p =
    let (l, _) = loop (l, r) = (0, m - 1) while r - l > 1 do
      let mid = (l + r) / 2
      in if xs[mid] <= p then (mid, r) else (l, mid)
    in l
  let at p =
    let p = f64.max xs[0] (f64.min xs[m - 1] p)
    let i = find p
    let t = (p - xs[i]) / f64.max 1e-12 (xs[i + 1] - xs[i])
    let y = ys[i] + t * (ys[i + 1] - ys[i])
    in (y, upto[i] + (p - xs[i]) * (ys[i] + y) / 2)
  in unzip (map at points)
