-- Generalised advantage estimation for many environments: backward linear recurrence as a scan, then normalised.
entry main [e][t] (gamma: f32) (lambda: f32) (rewards: [e][t]f32) (values: [e][t]f32) (done: [e][t]bool) : ([e][t]f32, [e][t]f32) =
  let advantage (r: [t]f32) (v: [t]f32) (fin: [t]bool) : [t]f32 =
    let delta = tabulate t (\i ->
                  let next = if fin[i] || i == t - 1 then 0 else v[i + 1]
                  in r[i] - 0.5 + gamma * next - v[i])
    let decay = map (\f -> if f then 0 else gamma * lambda) fin
    let (_, adv) = unzip (scan (\(a, x) (b, y) -> (a * b, b * x + y)) (1, 0) (reverse (zip decay delta)))
    in reverse adv
  let adv = map3 advantage rewards values done
  let ret = map2 (map2 (+)) adv values
  let n = f32.i64 (e * t)
  let mean = f32.sum (flatten adv) / n
  let var = f32.sum (map (\a -> (a - mean) * (a - mean)) (flatten adv)) / n
  in (map (map (\a -> (a - mean) / f32.sqrt (var + 1e-5))) adv, ret)
