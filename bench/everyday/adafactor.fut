-- A step of Adafactor: second moments factored into rows and columns, the update clipped by its root mean square.
def mean [n] (xs: [n]f32) : f32 = f32.sum xs / f32.i64 n

entry main [n] [m] (lr: f32) (decay: f32) (w: *[n][m]f32) (g0: [n][m]f32) (r: [n]f32) (c: [m]f32) : (*[n][m]f32, [n]f32, [m]f32, f32) =
  let g = map (map (\x -> x - 0.4)) g0
  let sq = map (map (\x -> x * x + 1e-6)) g
  let r' = map2 (\old row -> decay * old + (1 - decay) * mean row) r sq
  let c' = map2 (\old col -> decay * old + (1 - decay) * mean col) c (transpose sq)
  let total = mean r'
  let update = map2 (\gr rv -> map2 (\x cv -> x / f32.sqrt (rv * cv / total + 1e-6)) gr c') g r'
  let rms = update |> map (map (\u -> u * u)) |> map mean |> mean |> f32.sqrt
  let k = lr / f32.max 1 rms
  let wnorm = f32.max 1e-3 (f32.sqrt (mean (map (\row -> mean (map (\x -> x * x) row)) w)))
  in (map2 (map2 (\x u -> x - k * wnorm * u)) w update, r', c', rms)
