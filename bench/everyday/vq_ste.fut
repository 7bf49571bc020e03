-- Vector quantisation bottleneck: nearest code, straight-through gradient of a linear decoder, commitment term, moving-average codebook.
def main [n][d][k][o] (beta: f32) (decay: f32) (z0: [n][d]u8) (book0: [k][d]u8) (dec: [d][o]f32) (target: [n][o]f32) =
  -- quantities in 1/16: the distances are exact
  let q v = f32.i32 (i32.u8 v / 8) / 16
  let z = map (map q) z0
  let book = map (map q) book0
  let nearest (v: [d]f32) : i64 =
    let dists = map (\e -> f32.sum (map2 (\a b -> (a - b) * (a - b)) v e)) book
    let best (d1, i1) (d2, i2) = if d2 < d1 || (d2 == d1 && i2 < i1) then (d2, i2) else (d1, i1)
    in (reduce_comm best (f32.inf, i64.highest) (zip dists (iota k))).1
  let code = map nearest z
  let zq = map (\c -> book[c]) code
  let w = map (map (\v -> (v - 0.5) / f32.i64 d)) dec
  let recon (w: [d][o]f32) (v: [d]f32) = map (\col -> f32.tanh (f32.sum (map2 (*) v col))) (transpose w)
  let loss (w, xs) =
    f32.sum (map2 (\v t -> f32.sum (map2 (\a b -> (a - b) * (a - b)) (recon w v) t)) xs target) / f32.i64 n
  let (gw, gzq) = vjp loss (w, zq) 1
  -- straight through: the decoder's gradient goes to z as it is, plus the commitment term
  let gz = map3 (map3 (\g a b -> g + 2 * beta * (a - b) / f32.i64 n)) gzq z zq
  let used = hist (+) 0 k code (replicate n 1f32)
  let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) code z
  let book' = map3 (\e u s -> if u == 0 then e
                              else map2 (\a b -> decay * a + (1 - decay) * b / u) e s) book used sums
  let p = map (/ f32.i64 n) used
  let perplexity = f32.exp (-(f32.sum (map (\v -> if v > 0 then v * f32.log v else 0) p)))
  in (map i32.i64 code, gz, gw, book', perplexity)
