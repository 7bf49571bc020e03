-- Discrete Fourier transforms of any length by Bluestein's chirp: a convolution through transforms of the next power of two, for each row; real part and power.
type cx = {re: f32, im: f32}
def (<+>) (a: cx) (b: cx) : cx = {re = a.re + b.re, im = a.im + b.im}
def (<->) (a: cx) (b: cx) : cx = {re = a.re - b.re, im = a.im - b.im}
def (<*>) (a: cx) (b: cx) : cx = {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}
def conj (a: cx) : cx = {re = a.re, im = -a.im}
def cis (t: f32) : cx = {re = f32.cos t, im = f32.sin t}

-- Decimation in time, in place after a bit-reversing gather.
def fft_pow2 [m] (bits: i64) (x: [m]cx) : [m]cx =
  let rev i = loop r = 0 for b < bits do r | (((i >> b) & 1) << (bits - 1 - b))
  let start = map (\i -> x[rev i]) (iota m)
  in loop y = start for s < bits do
       let half = 1 << s
       in map (\i ->
                 let j = i % half
                 let base = i - i % (2 * half)
                 let t = cis (-f32.pi * f32.i64 j / f32.i64 half) <*> y[base + j + half]
                 in if (i / half) % 2 == 0 then y[base + j] <+> t else y[base + j] <-> t)
              (iota m)

def ifft_pow2 [m] (bits: i64) (x: [m]cx) : [m]cx =
  let s = 1 / f32.i64 m
  in map (\z -> {re = s * z.re, im = -s * z.im}) (fft_pow2 bits (map conj x))

entry main [b] [n] (rows: [b][n]f32) : ([b][n]f32, [b][n]f32) =
  let (bits, m) = loop (k, m) = (0, 1) while m < 2 * n - 1 do (k + 1, 2 * m)
  -- k^2 mod 2n keeps the angle exact
  let chirp = tabulate n (\k -> cis (-f32.pi * f32.i64 ((k * k) % (2 * n)) / f32.i64 n))
  let zero = {re = 0f32, im = 0f32}
  let kernel =
    fft_pow2 bits (tabulate m (\i ->
      if i < n then conj chirp[i] else if m - i < n then conj chirp[m - i] else zero))
  let transform line =
    let row = map (\v -> v - 0.5) line
    let a = tabulate m (\i -> if i < n then {re = row[i] * chirp[i].re, im = row[i] * chirp[i].im} else zero)
    let c = ifft_pow2 bits (map2 (<*>) (fft_pow2 bits a) kernel)
    in map2 (<*>) (take n c) chirp
  let out = map transform rows
  in (map (map (.re)) out, map (map (\z -> z.re * z.re + z.im * z.im)) out)
