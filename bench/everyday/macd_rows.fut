-- MACD of many price series: prices from returns, fast/slow/signal exponential averages as scans of affine maps, histogram line.
def ema [n] (span: f32) (xs: [n]f32) : [n]f32 =
  let k = 2 / (span + 1)
  let comp (a1, b1) (a2, b2) = (a1 * a2, a2 * b1 + b2)
  let init = map2 (\i x -> if i == 0 then (0f32, x) else (1 - k, k * x)) (iota n) xs
  in map (.1) (scan comp (1, 0) init)

def macd [n] (r: [n]f32) : ([n]f32, f32) =
  let price = map (\s -> 100 * f32.exp s) (scan (+) 0 (map (\x -> (x - 0.5) * 0.02) r))
  let line = map2 (-) (ema 12 price) (ema 26 price)
  let signal = ema 9 line
  let bars = map2 (-) line signal
  let pnl = f32.sum (map2 (\b p -> b / p) bars price)
  in (bars, pnl)

entry main [s][n] (returns: [s][n]f32) : ([s][n]f32, [s]f32) =
  unzip (map macd returns)
