-- Hurst exponent of many series by rescaled range analysis over dyadic window lengths.
def rs [m] (xs: [m]f32) : f32 =
  let mean = f32.sum xs / f32.i64 m
  let dev = map (\x -> x - mean) xs
  let walk = scan (+) 0 dev
  let (lo, hi) = reduce_comm (\(a, b) (c, d) -> (f32.min a c, f32.max b d))
                             (f32.highest, f32.lowest) (zip walk walk)
  let sd = f32.sqrt (f32.sum (map (\d -> d * d) dev) / f32.i64 m)
  in (hi - lo) / f32.max 1e-6 sd

def window_mean [n] (len: i64) (xs: [n]f32) : f32 =
  let k = n / len
  let ws = unflatten (xs[:k * len] :> [k * len]f32)
  in f32.sum (map rs ws) / f32.i64 (i64.max 1 k)

def main [s][n] (levels: i64) (series: [s][n]f32) : [s]f32 =
  let (_, sx, sy, sxx, sxy, cnt) =
    loop (len, sx, sy, sxx, sxy, cnt) = (8, 0, replicate s 0, 0, replicate s 0, 0) for _l < levels do
      if len > n then (len, sx, sy, sxx, sxy, cnt) else
      let lx = f32.log (f32.i64 len)
      let ly = map (\xs -> f32.log (1e-6 + window_mean len xs)) series
      in (len * 2, sx + lx, map2 (+) sy ly, sxx + lx * lx, map2 (\a b -> a + lx * b) sxy ly, cnt + 1)
  let den = cnt * sxx - sx * sx
  in map2 (\y xy -> if cnt < 2 then 0.5 else (cnt * xy - sx * y) / den) sy sxy
