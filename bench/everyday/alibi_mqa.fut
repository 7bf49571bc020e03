-- Multi-query attention (one key/value head) with ALiBi slopes, soft-capped logits and a padding mask.
def scores [t][d] (slope: f32) (cap: f32) (i: i64) (q: [d]f32) (ks: [t][d]f32) (keep: [t]bool) : [t]f32 =
  let scale = 1 / f32.sqrt (f32.i64 d)
  in map3 (\j k ok ->
             if j > i || !ok then -1e9
             else let s = scale * f32.sum (map2 (*) q k)
                  in cap * f32.tanh (s / cap) - slope * f32.i64 (i - j))
          (iota t) ks keep

def softmax [t] (s: [t]f32) : [t]f32 =
  let m = f32.maximum s
  let e = map (\x -> f32.exp (x - m)) s
  let z = f32.sum e
  in map (/ z) e

entry main [b][h][t][d] (cap: f32) (q: [b][h][t][d]f32) (k: [b][t][d]f32) (v: [b][t][d]f32) (pad: [b][t]bool) : [b][h][t][d]f32 =
  map4 (\qb kb vb pb ->
          let keep = map2 (\j p -> p || j == 0) (iota t) pb
          in map2 (\hi qh ->
                     let slope = 2 ** (-8 * f32.i64 (hi + 1) / f32.i64 h)
                     in map2 (\i qi ->
                                let p = softmax (scores slope cap i qi kb keep)
                                in map (\col -> f32.sum (map2 (*) p col)) (transpose vb))
                             (iota t) qh)
                  (iota h) qb)
       q k v pad
