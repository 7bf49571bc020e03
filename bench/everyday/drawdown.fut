-- Maximum drawdown, its duration in days and the Calmar ratio of many assets from daily log returns in basis points.
def asset [d] (rets: [d]i16) : (f32, i32, f32) =
  let logs = scan (+) 0 (map (\r -> 1 + i32.i16 r / 128) rets)
  let peaks = scan (\(v, i) (w, j) -> if w >= v then (w, j) else (v, i))
                   (i32.lowest, -1i32)
                   (zip logs (map i32.i64 (iota d)))
              |> map (\(v, i) -> if v < 0 then (0, -1) else (v, i))
  let (gap, len) =
    reduce (\(a, la) (b, lb) -> (i32.max a b, i32.max la lb)) (0, 0)
           (map3 (\l (p, at) i -> (p - l, i32.i64 i - at)) logs peaks (iota d))
  let mdd = 1 - f32.exp (-1e-4 * f32.i32 gap)
  let total = if d == 0 then 0 else 1e-4 * f32.i32 logs[d - 1]
  let annual = total * 252 / f32.i64 (i64.max 1 d)
  in (mdd, len, annual / f32.max 1e-3 mdd)

def main [d][a] (rets: [d][a]i16) : ([a]f32, [a]i32, [a]f32, f32) =
  let (m, l, c) = unzip3 (map asset (transpose rets))
  in (m, l, c, f32.maximum m)
