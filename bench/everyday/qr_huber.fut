-- Quantile-regression DQN: pairwise quantile Huber loss of predicted against target quantiles, its gradient by vjp and one SGD step.
def huber (k: f32) (u: f32) : f32 =
  let a = f32.abs u in if a <= k then 0.5 * u * u else k * (a - 0.5 * k)

def loss [n][m] (k: f32) (target: [m]f32) (theta: [n]f32) : f32 =
  let tau = map (\i -> (f32.i64 i + 0.5) / f32.i64 n) (iota n)
  in f32.sum (map2 (\t th ->
       f32.sum (map (\z -> let u = z - th
                           let w = if u < 0 then 1 - t else t
                           in w * huber k u / k) target)) tau theta) / f32.i64 m

entry main [b][n][m] (lr: f32) (gamma: f32) (theta: [b][n]f32) (next: [b][m]f32) (reward: [b]f32) : ([b]f32, [b][n]f32) =
  let step (th: [n]f32) (nx: [m]f32) (r: f32) =
    let target = map (\z -> r - 0.5 + gamma * z) nx
    let g = vjp (loss 0.2 target) th 1
    in (loss 0.2 target th, map2 (\a d -> a - lr * d) th g)
  in unzip (map3 step theta next reward)
