-- LAMB optimiser step over a flat parameter vector of layers of very different sizes: Adam moments, trust ratio per layer.
type layer = {w2: f64, u2: f64, n: i32}

def main [n] [l] (step: i32) (rate: f32) (decay: f32) (sizes: [l]u8)
         (w: *[n]f32) (g: [n]f32) (m: *[n]f32) (v: *[n]f32) : ([n]f32, [n]f32, [n]f32, [l]f32) =
  let b1 = 0.9f32
  let b2 = 0.999f32
  -- layer sizes: mostly small ones, a few big; the last takes the rest
  let raw = map (\s -> 1 + i64.u8 s * i64.u8 (s & 15) * i64.u8 (s >> 4)) sizes
  let ends = scan (+) 0 raw
  let scale x = x * n / ends[l - 1]
  let starts = map (\i -> if i == 0 then 0 else scale ends[i - 1]) (iota l)
  let firsts = reduce_by_index (replicate n (-1)) i64.max (-1) starts (iota l)
  let owner = scan i64.max 0 firsts
  let grads = map2 (\x u -> (x - 0.5) * 0.1 + decay * u) g w
  let m' = map2 (\a x -> b1 * (a - 0.5) + (1 - b1) * x) m grads
  let v' = map2 (\a x -> b2 * a + (1 - b2) * x * x) v grads
  let c1 = 1 - b1 ** f32.i32 step
  let c2 = 1 - b2 ** f32.i32 step
  let update = map3 (\a b x -> (a / c1) / (f32.sqrt (b / c2) + 1e-6) + decay * x) m' v' w
  let add (a: layer) (b: layer) : layer = {w2 = a.w2 + b.w2, u2 = a.u2 + b.u2, n = a.n + b.n}
  let norms =
    reduce_by_index (replicate l {w2 = 0, u2 = 0, n = 0}) add {w2 = 0, u2 = 0, n = 0} owner
                    (map2 (\x u -> {w2 = f64.f32 (x * x), u2 = f64.f32 (u * u), n = 1}) w update)
  let trust =
    map (\(y: layer) ->
           if y.n == 0 || y.w2 == 0 || y.u2 == 0 then 1
           else f32.f64 (f64.min 10 (f64.sqrt (y.w2 / y.u2))))
        norms
  let w' = map3 (\x u o -> x - rate * trust[o] * u) w update owner
  in (w', m', v', trust)
