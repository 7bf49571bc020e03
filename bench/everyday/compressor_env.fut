-- Audio compressor per channel: peak envelope with linear release (max-scan in dB), soft knee, smoothed gain, make-up applied.
entry main [c][n] (ratio: f32) (sig: [c][n]f32) : ([c][n]f32, [c]f32) =
  let slope = 1 - 1 / (1.5 + 6 * ratio)
  let (thr, knee, rel) = (-18f32, 6f32, 0.004f32)
  let db x = 8.685889 * f32.log (f32.max 1e-5 (f32.abs x))
  let gain e =
    let o = e - thr
    in if o <= -knee / 2 then 0
       else if o >= knee / 2 then -slope * o
       else -slope * (o + knee / 2) ** 2 / (2 * knee)
  let smooth [k] (xs: [k]f32) : [k]f32 =
    map (\(_, b) -> b) (scan (\(a, b) (a', b') -> (a * a', b * a' + b')) (1, 0) (map (\x -> (0.98, 0.02 * x)) xs))
  let channel (xs: [n]f32) =
    let x = map (\s -> let y = 2 * s - 1 in y * y * y) xs
    let ramp = tabulate n (\i -> rel * f32.i64 i)
    let env = map2 (-) (scan f32.max (-f32.inf) (map2 (\s r -> db s + r) x ramp)) ramp
    let g = smooth (map gain env)
    let y = map2 (\s d -> s * f32.exp ((d + 3) / 8.685889)) x g
    in (y, f32.minimum g)
  in unzip (map channel sig)
