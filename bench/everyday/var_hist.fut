-- Historical value at risk and expected shortfall of many portfolios; the quantile is found by bisection on counts.
entry main [p][t][a] (alpha: f32) (weights: [p][a]f32) (returns: [t][a]f32) : ([p]f32, [p]f32) =
  let one (w: [a]f32) : (f32, f32) =
    let pnl = map (\r -> f32.sum (map2 (\w x -> w * (x - 0.5)) w r)) returns
    let (lo, hi) =
      loop (lo, hi) = (f32.minimum pnl, f32.maximum pnl) for _i < 22 do
        let mid = 0.5 * (lo + hi)
        let below = i64.sum (map (\v -> if v < mid then 1 else 0) pnl)
        in if f32.i64 below < alpha * f32.i64 t then (mid, hi) else (lo, mid)
    let q = 0.5 * (lo + hi)
    let tail = f32.sum (map (\v -> f32.max 0 (q - v)) pnl)
    in (-q, tail / (alpha * f32.i64 t) - q)
  in unzip (map one weights)
