-- Linear prediction of speech-like frames: autocorrelation, Levinson-Durbin recursion, reflection coefficients, residuals.
def levinson [o] (r: [o]f64) : ([o]f64, [o]f64, f64) =
  let a0 = replicate o 0 with [0] = 1
  in loop (a, ks, e) = (a0, replicate o 0, r[0]) for i in 1..<o do
       let acc = loop s = 0 for j < i do s + a[j] * r[i - j]
       let k = -acc / e
       let a' = tabulate o (\j -> if j > i then a[j] else a[j] + k * a[i - j])
       in (a', ks with [i] = k, e * (1 - k * k))

entry main [n] [l] (order: i64) (frames: [n][l]f64) =
  let o = order + 1
  let analyse (x0: [l]f64) =
    -- some colour, so that there is something to predict
    let c = map (\v -> v - 0.5) x0
    let x = tabulate l (\i -> c[i] + (if i > 0 then 0.9 * c[i - 1] else 0) + (if i > 1 then 0.5 * c[i - 2] else 0))
    let r = tabulate o (\k -> f64.sum (tabulate l (\i -> if i >= k then x[i] * x[i - k] else 0)))
    let r = r with [0] = r[0] * 1.0001 + 1e-6
    let (a, ks, e) = levinson r
    let res = tabulate l (\i -> loop s = 0 for j < i64.min o (i + 1) do s + a[j] * x[i - j])
    in (a, ks, e, res)
  in unzip4 (map analyse frames)
