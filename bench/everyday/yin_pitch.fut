-- YIN pitch tracking: difference function, cumulative mean normalisation, first dip and parabolic interpolation per frame.
def frame_pitch [w] (lags: i64) (x: [w]f32) : (f32, f32) =
  let half = w - lags
  let d = tabulate lags (\t -> loop s = 0 for i < half do s + (x[i] - x[i + t]) ** 2)
  let cum = scan (+) 0 d
  let nd = map3 (\t v c -> if t == 0 || c <= 0 then 1 else v * f32.i64 t / c) (iota lags) d cum
  let (t, _) = loop (t, go) = (2, true) while go && t + 1 < lags do
    if nd[t] < 0.6 && nd[t] <= nd[t + 1] && nd[t] <= nd[t - 1] then (t, false) else (t + 1, true)
  let t = i64.min t (lags - 1)
  let (a, b, c) = (nd[i64.max 0 (t - 1)], nd[t], nd[i64.min (lags - 1) (t + 1)])
  let den = a - 2 * b + c
  let off = if f32.abs den < 1e-6 then 0 else 0.5 * (a - c) / den
  in (f32.i64 t + f32.max (-1) (f32.min 1 off), b)

entry main [n] (win: i64) (hop: i64) (lags: i64) (noise: [n]f32) : ([]f32, []f32, f32) =
  let sig = map2 (\i e ->
      let t = f32.i64 (i % 100000)
      let f = 0.02 + 0.01 * f32.sin (t * 0.0005)
      in f32.sin (6.2831853 * f * t) + 0.4 * f32.sin (12.566371 * f * t + 1) + 0.3 * (e - 0.5)) (iota n) noise
  let frames = i64.max 1 ((n - win) / hop + 1)
  let (period, conf) =
    tabulate frames (\k -> frame_pitch lags (tabulate win (\i -> sig[i64.min (n - 1) (k * hop + i)]))) |> unzip
  let voiced = f32.sum (map (\c -> f32.bool (c < 0.6)) conf) / f32.i64 frames
  in (map (\p -> 44100 / f32.max 1 p) period, conf, voiced)
