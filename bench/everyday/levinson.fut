-- Levinson recursion: many symmetric Toeplitz systems T x = y.
entry main [m][n] (rs: [m][n]f32) (ys: [m][n]f32) : [m][n]f32 =
  let solve (r: [n]f32) (y: [n]f32) : [n]f32 =
    let t = map2 (\i v -> if i == 0 then 1 else (v - 0.5) / f32.i64 (2 + i * i)) (iota n) r
    let (_, x, _) =
      loop (f, x, err) = (replicate n 0f32 with [0] = 1, replicate n 0f32 with [0] = y[0], 1f32) for k in 1..<n do
        let s = loop s = 0 for i < k do s + t[k - i] * f[i]
        let ref = -s / err
        let g = map (\i -> let back = if i == 0 || i > k then 0 else f[k - i]
                           let own = if i < k then f[i] else 0
                           in own + ref * back) (iota n)
        let err = err * (1 - ref * ref)
        let e = loop e = y[k] for i < k do e - t[k - i] * x[i]
        let x = map2 (\i v -> if i > k then 0 else v + e / err * g[k - i]) (iota n) x
        in (g, x, err)
    in x
  in map2 solve rs ys
