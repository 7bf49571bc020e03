-- An echo state network: a fixed reservoir driven by a signal, a step at a time, and a readout learned on the way.
def dot [n] (a: [n]f32) (b: [n]f32) = reduce (+) 0 (map2 (*) a b)

entry main [n][t] (leak: f32) (radius: f32) (res: [n][n]f32) (win: [n]f32) (signal: [t]f32) : ([t]f32, [n]f32) =
  let s = radius * f32.sqrt (12 / f32.i64 n)
  let w = map (map (\v -> s * (v - 0.5))) res
  let wi = map (\v -> 2 * v - 1) win
  let out = replicate t 0f32
  let (out, _, readout) =
    loop (out, x, r) = (out, replicate n 0, replicate n 0) for k < t do
      let u = signal[k] - 0.5
      let x = map3 (\row b old -> (1 - leak) * old + leak * f32.tanh (dot row x + b * u)) w wi x
      let y = dot r x
      let target = (if k >= 3 then signal[k - 3] else 0.5) - 0.5
      let g = 0.5 * (target - y) / (0.1 + dot x x)
      in (out with [k] = y, x, map2 (\a b -> a + g * b) r x)
  in (out, readout)
