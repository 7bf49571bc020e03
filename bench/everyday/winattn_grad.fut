-- Gradients of attention in blocks of a sequence with a learned bias by distance: for queries, keys, values and the bias table, summed over blocks.
def softmax [n] (x: [n]f32): [n]f32 =
  let m = f32.maximum x
  let e = map (\v -> f32.exp (v - m)) x
  let s = f32.sum e
  in map (/ s) e

def block [t][d][r] (bias: [r]f32) (q: [t][d]f32) (k: [t][d]f32) (v: [t][d]f32): [t][d]f32 =
  let scores = map2 (\i a -> map2 (\j b ->
    let dist = i64.min (r - 1) (i64.abs (i - j))
    in f32.sum (map2 (*) a b) / f32.sqrt (f32.i64 d) + bias[dist]) (iota t) k) (iota t) q
  in map (\s -> let p = softmax s in map (\c -> f32.sum (map2 (*) p c)) (transpose v)) scores

entry main [n][t][d][r] (bias: [r]f32) (q: [n][t][d]f32) (k: [n][t][d]f32) (v: [n][t][d]f32) (seed: [n][t][d]f32) =
  let f (bias, q, k, v) = map3 (block bias) q k v
  let (db, dq, dk, dv) = vjp f (bias, q, k, v) seed
  in (db: [r]f32, dq: [n][t][d]f32, dk: [n][t][d]f32, dv: [n][t][d]f32)
