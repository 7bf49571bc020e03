-- Gated dilated causal convolution along time (tanh times sigmoid), residual; gradients of both kernels by vjp.
def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))

def causal [c][o][k][t] (dil: i64) (w: [o][c][k]f32) (x: [c][t]f32) : [o][t]f32 =
  map (\wo ->
         tabulate t (\i ->
                       f32.sum (map2 (\wc xc ->
                                        f32.sum (map2 (\j a ->
                                                         let p = i - dil * (k - 1 - j)
                                                         in if p >= 0 then a * xc[p] else 0)
                                                      (iota k) wc))
                                     wo x)))
      w

def block [c][k][t] (dil: i64) (wf: [c][c][k]f32) (wg: [c][c][k]f32) (x: [c][t]f32) : [c][t]f32 =
  let a = causal dil wf x
  let g = causal dil wg x
  in map3 (map3 (\xi u v -> xi + f32.tanh u * sigmoid v)) x a g

entry main [n][c][k][t] (dil: i64) (x: [n][c][t]f32) (y: [n][c][t]f32) (wf: [c][c][k]f32) (wg: [c][c][k]f32) =
  let centre = map (map (map (\v -> (v - 0.5f32) / f32.sqrt (f32.i64 (c * k)))))
  let objective (a, b) =
    let e = map2 (\xi yi -> map2 (map2 (\u v -> let r = u - v in r * r)) (block dil a b xi) yi) x y
    in f32.sum (map (\m -> f32.sum (map f32.sum m)) e) / f32.i64 (n * t)
  let p = (centre wf, centre wg)
  let (da, db) = vjp objective p 1
  in (objective p, da, db)
