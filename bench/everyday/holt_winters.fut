-- Holt and Winters' triple exponential smoothing of many series, the season's array carried along, the best of a few smoothing rates chosen softly.
def period = 12i64

type rates = {level: f32, trend: f32, season: f32}

def init_season [t] (xs: [t]f32) : *[period]f32 =
  let first = xs[:period]
  let m = f32.sum first / f32.i64 period
  in map (\x -> x - m) first

def smooth [t] (r: rates) (xs: [t]f32) : (f32, f32, [period]f32, f32) =
  let l0 = f32.sum (take period xs) / f32.i64 period
  in loop (l, b, s, sse) = (l0, 0, init_season xs, 0) for i in period..<t do
       let k = i % period
       let e = xs[i] - (l + b + s[k])
       let l' = l + b + r.level * e
       let b' = b + r.level * r.trend * e
       let s[k] = s[k] + r.season * (1 - r.level) * e
       in (l', b', s, sse + e * e)

entry main [n] [t] [q] (grid: [q]f32) (series: [n][t]f32) : ([n][period]f32, [n]f32) =
  let forecast xs =
    let runs = map (\g -> smooth {level = 0.1 + 0.4 * g, trend = 0.1, season = 0.3 * g} xs) grid
    let mse = map (\(_, _, _, e) -> e / f32.i64 (t - period)) runs
    let lowest = f32.minimum mse
    let w = map (\e -> f32.exp (10 * (lowest - e))) mse
    let z = f32.sum w
    let ahead h = f32.sum (map2 (\(l, b, s, _) w -> w / z * (l + f32.i64 (h + 1) * b + s[(t + h) % period])) runs w)
    in (map ahead (iota period), lowest)
  let wave = map (\xs -> tabulate t (\i -> xs[i] + f32.sin (f32.i64 i * 2 * f32.pi / f32.i64 period) + 0.01 * f32.i64 i)) series
  in unzip (map forecast wave)
