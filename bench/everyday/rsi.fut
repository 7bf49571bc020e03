-- Relative strength index of many assets with Wilder's smoothing.
entry main [a][n] (period: f32) (prices: [a][n]f32) : [a][n]f32 =
  let k = 1 / period
  let wilder (xs: [n]f32) : [n]f32 =
    let op (p, x) (q, y) = (p * q, q * x + y)
    in map (.1) (scan op (1, 0) (map (\x -> (1 - k, k * x)) xs))
  let rsi (p: [n]f32) : [n]f32 =
    let d = map (\i -> if i == 0 then 0 else p[i] - p[i - 1]) (iota n)
    let up = wilder (map (f32.max 0) d)
    let down = wilder (map (\x -> f32.max 0 (-x)) d)
    in map2 (\u v -> 100 * (u + 0.01) / (u + v + 0.02)) up down
  in map rsi prices
