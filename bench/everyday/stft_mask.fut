-- Spectral subtraction: overlapping Hann frames, radix-2 FFT per frame, noise floor by bin, gains, inverse, overlap-add.
module complex = {
  type t = {re: f32, im: f32}
  def add (a: t) (b: t) : t = {re = a.re + b.re, im = a.im + b.im}
  def sub (a: t) (b: t) : t = {re = a.re - b.re, im = a.im - b.im}
  def mul (a: t) (b: t) : t = {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}
  def scale (s: f32) (a: t) : t = {re = s * a.re, im = s * a.im}
  def cis (a: f32) : t = {re = f32.cos a, im = f32.sin a}
  def norm (a: t) = a.re * a.re + a.im * a.im
}
type c = complex.t

-- Stockham steps, n = 2^log.
def fft [n] (log: i64) (sign: f32) (x: [n]c) : [n]c =
  loop x for s < log do
    let ns = 1 << s
    in tabulate n (\o ->
         let half = n / 2
         let (blk, r) = (o / (2 * ns), o % (2 * ns))
         let k = r % ns
         let j = blk * ns + k
         let w = complex.cis (sign * f32.pi * f32.i64 k / f32.i64 ns)
         let t = complex.mul w x[j + half]
         in if r < ns then complex.add x[j] t else complex.sub x[j] t)

entry main [len] (log: i64) (over: f32) (signal: [len]f32) : ([len]f32, []f32) =
  let n = 1 << log
  let hop = n / 2
  let frames = (len - n) / hop + 1
  let hann = tabulate n (\i -> let s = f32.sin (f32.pi * (f32.i64 i + 0.5) / f32.i64 n) in s)
  let cut t = tabulate n (\i -> {re = hann[i] * (signal[t * hop + i] - 0.5), im = 0f32})
  let spec = map (\t -> fft log (-1) (cut t)) (iota frames)
  let floor = map (\bin -> f32.sum (map complex.norm bin) / f32.i64 frames) (transpose spec)
  let gain z p = let e = complex.norm z in f32.sqrt (e / (e + over * p + 1e-9))
  let clean = map (\zs -> map2 (\z p -> complex.scale (gain z p) z) zs floor) spec
  let back = map (\zs -> map2 (\z h -> h * z.re / f32.i64 n) (fft log 1 zs) hann) clean
  let out = tabulate len (\i ->
              let t = i / hop
              let part u = if u >= 0 && u < frames && i - u * hop < n then back[u, i - u * hop] else 0
              in part t + part (t - 1))
  in (out, floor)
