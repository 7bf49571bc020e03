-- Multiplicative weights over the arms of many bandits with full information: hashed losses in whole numbers, log-weights, regret against the best fixed arm.
#[inline]
def mix (x: u32) : u32 =
  let x = (x ^ (x >> 17)) * 0xed5ad4bb
  let x = (x ^ (x >> 11)) * 0xac4c1b51
  in x ^ (x >> 15)

def softmax [k] (xs: [k]f32) : [k]f32 =
  let m = f32.maximum xs
  let es = map (\x -> f32.exp (x - m)) xs
  let s = f32.sum es
  in map (/ s) es

entry main [b] [k] (rounds: i64) (eta: f32) (bias: [b][k]f32) : ([b]f64, [b][k]f32, [b]i32) =
  let play i (drift: [k]f32) =
    let (logw, total, mine) =
      loop (logw, total, mine) = (replicate k 0f32, replicate k 0i32, 0f64)
      for t < rounds do
        let loss =
          tabulate k (\a -> i32.u32 (mix (u32.i64 ((i * rounds + t) * k + a)) >> 22))
        let p = softmax logw
        let seen = map2 (\l d -> f32.i32 l / 1024 + 0.2 * d) loss drift
        in (map2 (\w s -> w - eta * s) logw seen,
            map2 (+) total loss,
            mine + f64.f32 (f32.sum (map2 (*) p seen)))
    let fixed = map2 (\l d -> f64.i32 l / 1024 + f64.f32 (0.2 * d) * f64.i64 rounds) total drift
    in (mine - f64.minimum fixed, softmax logw, i32.minimum total)
  in unzip3 (map2 play (iota b) bias)
