-- Rational resampler: insert zeros, filter, keep every q-th sample, without the useless products.
entry main [n][k] (p: i64) (q: i64) (taps: [k]f32) (x: [n]f32) : []f32 =
  let len = ((n - 1) * p + k - 1) / q + 1
  in tabulate len (\o ->
       let t = o * q
       let first = t % p
       let terms = (k - first + p - 1) / p
       in loop s = 0 for j < terms do
            let i = t / p - j
            in if i >= 0 && i < n then s + taps[first + j * p] * x[i] else s)
