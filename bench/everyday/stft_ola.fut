-- Spectral gate for noise: windowed frames, real DFT as a matrix product, Wiener-like gains from a floor per bin, inverse and weighted overlap-add.
def hann (n: i64) : [n]f32 = tabulate n (\i -> 0.5 - 0.5 * f32.cos (2 * f32.pi * f32.i64 i / f32.i64 n))

def matmul [a] [b] [c] (x: [a][b]f32) (y: [b][c]f32) : [a][c]f32 =
  map (\r -> map (\col -> f32.sum (map2 (*) r col)) (transpose y)) x

-- cos and sin tables, angles reduced in whole numbers
def basis (n: i64) (bins: i64) : ([n][bins]f32, [n][bins]f32) =
  let angle i k = 2 * f32.pi * f32.i64 ((i * k) % n) / f32.i64 n
  in (tabulate_2d n bins (\i k -> f32.cos (angle i k)),
      tabulate_2d n bins (\i k -> -(f32.sin (angle i k))))

def frames [m] (n: i64) (hop: i64) (count: i64) (win: [n]f32) (x: [m]f32) : [count][n]f32 =
  tabulate count (\t -> map2 (\i c -> c * x[t * hop + i]) (iota n) win)

-- running minimum over a span of frames of the smoothed power: an estimate of the noise
def noise_floor [t] (span: i64) (p: [t]f32) : [t]f32 =
  let (smooth, _) =
    loop (out, s) = (replicate t 0f32, p[0]) for i < t do
      let s = 0.8 * s + 0.2 * p[i]
      in (out with [i] = s, s)
  in tabulate t (\i ->
       loop m = smooth[i] for d < span do
         f32.min m smooth[i64.max 0 (i - d)])

entry main [m] (n: i64) (over: i64) (strength: f32) (x: [m]f32) =
  let hop = n / over
  let count = (m - n) / hop + 1
  let bins = n / 2 + 1
  let win = hann n
  let centred = map (\v -> v - 0.5) x
  let fs = frames n hop count win centred
  let (bc, bs) = basis n bins
  let re = matmul fs bc
  let im = matmul fs bs
  let power = map2 (map2 (\a b -> a * a + b * b)) re im
  let floor = transpose (map (noise_floor 8) (transpose power))
  let gain =
    map2 (map2 (\p f -> let r = strength * f / (p + 1e-4) in f32.max 0.1 (1 - r))) power floor
  -- gains smoothed across neighbouring bins
  let gain =
    map (\g -> tabulate bins (\k -> (g[i64.max 0 (k - 1)] + 2 * g[k] + g[i64.min (bins - 1) (k + 1)]) / 4)) gain
  let weight k : f32 = if k == 0 || k == bins - 1 then 1 else 2
  let scaled z = map2 (\g r -> map3 (\k g v -> weight k * g * v / f32.i64 n) (iota bins) g r) gain z
  let synth = map2 (map2 (+)) (matmul (scaled re) (transpose bc)) (matmul (scaled im) (transpose bs))
  let windowed = map (map2 (*) win) synth
  let out =
    tabulate m (\i ->
      let last = i64.min (count - 1) (i / hop)
      let first = i64.max 0 ((i - n) / hop + 1)
      let (num, den) =
        loop (num, den) = (0f32, 0f32) for t in first..<last + 1 do
          let j = i - t * hop
          in if j < 0 || j >= n then (num, den) else (num + windowed[t, j], den + win[j] * win[j])
      in if den < 0.05 then 0 else num / den)
  let spectrum = map (\p -> f32.sum p / f32.i64 count) (transpose power)
  let level = f64.sqrt (f64.sum (map (\v -> f64.f32 (v * v)) out) / f64.i64 m)
  in (out, spectrum, level)
