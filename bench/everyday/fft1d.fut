-- Iterative radix 2, many rows.
def fft [n] (re: [n]f32) (im: [n]f32) (bits: i64) : ([n]f32, [n]f32) =
  let rev i = (loop (r, i) = (0i64, i) for _k < bits do (r*2 + i%2, i/2)).0
  let re = map (\i -> re[rev i]) (iota n)
  let im = map (\i -> im[rev i]) (iota n)
  in loop (re, im) for s < bits do
     let half = 1 << s
     in unzip (tabulate n (\i ->
       let k = i % (2*half)
       let lo = if k < half then i else i - half
       let ang = -3.14159265f32 * f32.i64 (k % half) / f32.i64 half
       let (c, sn) = (f32.cos ang, f32.sin ang)
       let hi = lo + half
       let (tr, ti) = (re[hi]*c - im[hi]*sn, re[hi]*sn + im[hi]*c)
       in if k < half then (re[lo]+tr, im[lo]+ti) else (re[lo]-tr, im[lo]-ti)))
entry main [r][n] (bits: i64) (x: [r][n]f32) : ([r][n]f32, [r][n]f32) = unzip (map (\row -> fft row (replicate n 0) bits) x)
