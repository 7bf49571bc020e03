-- RFM segmentation: last day, number and value of each customer's orders by index, quintile scores from cumulative counts, 125 segments.
def quintile [n] (levels: i64) (xs: [n]i64) : [n]i64 =
  let x = map (\v -> i64.max 0 (i64.min (levels - 1) v)) xs
  let below = scan (+) 0 (hist (+) 0 levels x (replicate n 1i64))
  in map (\v -> let b = if v == 0 then 0 else below[v-1] in i64.min 4 (5 * b / i64.max 1 n)) x

entry main [n] (customers: i64) (who: [n]u32) (day: [n]u16) (cents: [n]u16) : ([]i64, [125]i64, [125]f64) =
  let nc = i64.max 1 customers
  let c = map (\x -> i64.u32 x % nc) who
  let plus3 (a, b, s) (a', b', s') = (i64.max a a', b + b', s + s')
  let orders = map2 (\d p -> (i64.u16 d % 730, 1, i64.u16 p)) day cents
  let (last_day, freq, money) = unzip3 (reduce_by_index (replicate nc (-1, 0, 0i64)) plus3 (-1, 0i64, 0i64) c orders)
  let r = quintile 731 (map (+ 1) last_day)
  let f = quintile 256 freq
  let m = quintile 4096 (map (/ 1024) money)
  let seg = map3 (\a b c -> a * 25 + b * 5 + c) r f m
  let size = hist (+) 0 125 seg (map (const 1) seg)
  let value = hist (+) 0 125 seg money
  in (seg, size, map2 (\v s -> if s == 0 then 0 else f64.i64 v / f64.i64 s / 100) value size)
