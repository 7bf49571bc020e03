-- Price bars from ticks: open, high, low, close, volume and volume-weighted price per instrument and time bucket.
type bar = {first: i64, start: i32, last: i64, close: i32, high: i32, low: i32, vol: i64, money: i64}

def empty : bar = {first = i64.highest, start = 0, last = -1, close = 0, high = i32.lowest, low = i32.highest, vol = 0, money = 0}

def join (a: bar) (b: bar) : bar =
  let early = a.first <= b.first
  let late = a.last >= b.last
  in { first = if early then a.first else b.first, start = if early then a.start else b.start
     , last = if late then a.last else b.last, close = if late then a.close else b.close
     , high = i32.max a.high b.high, low = i32.min a.low b.low, vol = a.vol + b.vol, money = a.money + b.money }

-- Exponential average along the buckets, as a scan of linear maps.
def ema [k] (alpha: f64) (xs: [k]f64) : [k]f64 =
  let op (a, b) (c, d) = (a * c, d + c * b)
  let lead i x = if i == 0 then (0, x) else (1 - alpha, alpha * x)
  in map (.1) (scan op (1, 0) (map2 lead (iota k) xs))

-- Correlation matrix of the rows.
def correlate [a][k] (xs: [a][k]f64) : [a][a]f64 =
  let centred = map (\r -> let m = f64.sum r / f64.i64 k in map (\v -> v - m) r) xs
  let unit = map (\r -> let s = f64.sqrt (f64.sum (map (\v -> v * v) r) + 1e-12) in map (/ s) r) centred
  in map (\r -> map (\q -> f64.sum (map2 (*) r q)) unit) unit

entry main [n] (instruments: i64) (buckets: i64) (who: [n]i32) (price: [n]i32) (size: [n]u8) =
  let slot i w = i64.i32 (w & 0x7fffffff) % instruments * buckets + i * buckets / n
  let tick i p s = let p = 10000 + (p & 1023)
                   in {first = i, start = p, last = i, close = p, high = p, low = p, vol = i64.u8 s, money = i64.u8 s * i64.i32 p}
  let keys = map2 slot (iota n) who
  let bars = reduce_by_index (replicate (instruments * buckets) empty) join empty keys (map3 tick (iota n) price size)
  let vwap b = if b.vol == 0 then 0 else f64.i64 b.money / f64.i64 b.vol
  let fields = map (\b -> (b.start, b.close, if b.last < 0 then 0 else b.high - b.low, b.vol)) bars
  let (o, c, range, vol) = unzip4 fields
  let prices = map (map (\p -> f64.i32 (i32.max 1 p))) (unflatten c :> [instruments][buckets]i32)
  let smooth = map (ema 0.1) prices
  let returns = map (\r -> tabulate buckets (\i -> if i == 0 then 0 else f64.log (r[i] / r[i - 1]))) smooth
  in (unflatten o, unflatten c, unflatten range, unflatten vol, unflatten (map vwap bars), smooth, correlate returns) :>
     ([instruments][buckets]i32, [instruments][buckets]i32, [instruments][buckets]i32, [instruments][buckets]i64, [instruments][buckets]f64, [instruments][buckets]f64, [instruments][instruments]f64)
