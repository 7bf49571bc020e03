-- A layer of experts softly mixed by a gate, and the gradients of gate and experts.
def dot [n] (a: [n]f32) (b: [n]f32) = f32.sum (map2 (*) a b)
def silu (x: f32) = x / (1 + f32.exp (-x))

def softmax [k] (z: [k]f32) : [k]f32 =
  let m = f32.maximum z
  let e = map (\x -> f32.exp (x - m)) z
  let s = f32.sum e
  in map (/ s) e

entry main [n][d][e][h] (x: [n][d]f32) (y: [n]f32) (gate: [e][d]f32) (w1: [e][h][d]f32) (w2: [e][h]f32)
    : (f32, [e][d]f32, [e][h][d]f32, [e][h]f32) =
  let forward (gate: [e][d]f32, w1: [e][h][d]f32, w2: [e][h]f32) (t: [d]f32) : f32 =
    let g = softmax (map (dot t) gate)
    let out = map2 (\a b -> dot b (map (\r -> silu (dot t r)) a)) w1 w2
    in dot g out
  let cost ps =
    let err = map2 (\t y -> let r = forward ps t - y in r * r) x y
    in f32.sum err / f32.i64 n
  let small [q] (r: [q]f32) = map (\v -> (v - 0.5) / f32.sqrt (f32.i64 d)) r
  let params = (map small gate, map (map small) w1, map small w2)
  let (c, (dg, d1, d2)) = vjp2 cost params 1
  in (c, dg, d1, d2)
