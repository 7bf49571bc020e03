-- Adaptive filters, one a channel: the normalised least mean squares rule over time.
entry main [c][t] (taps: i64) (mu: f32) (x: [c][t]f32) (d: [c][t]f32) : ([c][taps]f32, [c]f32) =
  unzip (map2 (\x d ->
    let w = replicate taps 0
    let (w, e) = loop (w, acc) = (w, 0) for s < t do
      let u j = if s >= j then #[unsafe] x[s - j] - 0.5 else 0
      let (y, p) = loop (y, p) = (0, 0.01) for j < taps do (y + w[j] * u j, p + u j * u j)
      let e = d[s] - 0.5 - y
      let g = mu * e / p
      let w = loop w for j < taps do w with [j] = w[j] + g * u j
      in (w, acc + e * e)
    in (w, e / f32.i64 t)) x d)
