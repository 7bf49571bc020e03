-- Fill gaps of sensor logs by linear interpolation: nearest valid reading before and after within each sensor's segment (two segmented scans).
entry main [n] (sensor: [n]u8) (ok: [n]u8) (v: [n]f32) : ([n]f32, i64, i64) =
  let start = map2 (\i s -> i == 0 || s == 0) (iota n) sensor
  let stop = tabulate n (\i -> i + 1 == n || start[i+1])
  let valid = map (> 140) ok
  let pick (f, a: i64) (g, b) = (f || g, if g || b >= 0 then b else a)
  let own = map2 (\i good -> if good then i else -1) (iota n) valid
  let prev = scan pick (false, -1) (zip start own) |> map (.1)
  let next = reverse (zip stop own) |> scan pick (false, -1) |> reverse |> map (.1)
  let fill i p q =
    if p < 0 && q < 0 then 0
    else if p < 0 then v[q]
    else if q < 0 then v[p]
    else if p == q then v[p]
    else let t = f32.i64 (i - p) / f32.i64 (q - p) in v[p] * (1 - t) + v[q] * t
  let out = map3 fill (iota n) prev next
  let lost = i64.sum (map2 (\p q -> i64.bool (p < 0 && q < 0)) prev next)
  let widest = i64.maximum (map2 (\p q -> if p < 0 || q < 0 then 0 else q - p) prev next)
  in (out, lost, i64.max 0 widest)
