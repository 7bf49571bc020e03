-- Tridiagonal systems, one in a row.
entry main [n][m] (a: [n][m]f32) (b: [n][m]f32) (c: [n][m]f32) (d: [n][m]f32) : [n][m]f32 =
  map4 (\a b c d ->
    let b = map (+4) b
    let (cp, dp) = loop (cp, dp) = (replicate m 0f32, replicate m 0f32) for i < m do
      let w = if i == 0 then b[0] else b[i] - a[i]*cp[i-1]
      in (cp with [i] = c[i]/w, dp with [i] = (d[i] - (if i == 0 then 0 else a[i]*dp[i-1]))/w)
    let x = replicate m 0f32
    in loop x for k < m do let i = m-1-k in x with [i] = if k == 0 then dp[i] else dp[i] - cp[i]*x[i+1]) a b c d
