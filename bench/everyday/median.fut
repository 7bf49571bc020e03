-- Median of 5x5 by a thread's own sorting.
entry main [h][w] (img: [h][w]u8) : [h][w]u8 =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  in tabulate_2d h w (\y x ->
    let v = tabulate 25 (\k -> img[cl h (y+k/5-2), cl w (x+k%5-2)])
    let v = loop v = copy v for i < 13 do
      let (m, at) = loop (m, at) = (v[i], i) for j in i+1..<25 do if v[j] < m then (v[j], j) else (m, at)
      let t = v[i]
      in (v with [i] = m) with [at] = t
    in v[12])
