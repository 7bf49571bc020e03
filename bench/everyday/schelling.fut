-- Schelling's segregation: unhappy agents of two kinds, numbered by a scan, move together to the free cells in a shifted order, some rounds.
entry main [h][w] (rounds: i64) (want: f32) (r: [h][w]u8) : ([h][w]u8, [rounds]i64) =
  let need = 2 + i32.f32 (3 * want)
  let n = h * w
  let init = map (\x -> if x < 50 then 0u8 else 1 + (x & 1)) (flatten r)
  let unhappy (g: [h*w]u8) (t: i64) : bool =
    let (i, j) = (t / i64.max 1 w, t % i64.max 1 w)
    let same = loop s = 0i32 for k < 9 do
      let (y, x) = (i + k / 3 - 1, j + k % 3 - 1)
      in if k == 4 || y < 0 || y >= h || x < 0 || x >= w then s
         else s + i32.bool (g[y * w + x] == g[t])
    in g[t] != 0 && same < need
  let (g, moved) =
    loop (g, moved) = (init, replicate rounds 0) for t < rounds do
      let sad = map (unhappy g) (iota (h*w))
      let free = map (== 0) g
      let (rs, rf) = unzip (scan (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map2 (\s f -> (i64.bool s, i64.bool f)) sad free))
      let (ns, nf) = if n == 0 then (0, 0) else (rs[n-1], rf[n-1])
      let places = scatter (replicate nf 0) (map2 (\f k -> if f then k - 1 else -1) free rf) (iota (h*w))
      let target = map2 (\s k -> if s && k <= nf then places[(k - 1 + 7919 * (t + 1)) % nf] else -1) sad rs
      let cleared = map2 (\d c -> if d >= 0 then 0 else c) target g
      in (scatter cleared target g, moved with [t] = i64.min ns nf)
  in (unflatten g, moved)
