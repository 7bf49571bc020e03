-- Delay-and-sum beamforming of a linear array: output power over angles, fractional delays by linear interpolation.
entry main [s][n] (angles: i64) (spacing: f32) (signals: [s][n]f32) (shading: [s]f32) : ([angles]f32, f32) =
  let total = f32.sum shading + 1
  let beam (a: i64) : f32 =
    let theta = f32.pi * (f32.i64 a / f32.i64 (angles - 1) - 0.5)
    let delays = tabulate s (\k -> spacing * f32.sin theta * (f32.i64 k - 0.5 * f32.i64 (s - 1)))
    let output t =
      f32.sum (map3 (\sig d wt ->
                       let whole = f32.floor d
                       let i = t + i64.f32 whole
                       let f = d - whole
                       in if i < 0 || i + 1 >= n then 0
                          else wt * ((1 - f) * sig[i] + f * sig[i + 1] - 0.5))
                    signals delays shading) / total
    in f32.sum (map (\t -> let o = output t in o * o) (iota n)) / f32.i64 n
  let power = map beam (iota angles)
  in (power, f32.sum power)
