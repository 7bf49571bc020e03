-- Kuwahara: of four 4x4 quadrants the mean of the least variance.
entry main [h][w] (img: [h][w]f32) : [h][w]f32 =
  let at y x = img[i64.max 0 (i64.min (h-1) y), i64.max 0 (i64.min (w-1) x)]
  in tabulate_2d h w (\y x ->
    let quad dy dx =
      let (s, q) = loop (s, q) = (0f32, 0f32) for i < 4i64 do loop (s, q) = (s, q) for j < 4i64 do
        let v = at (y+dy+i) (x+dx+j) in (s+v, q+v*v)
      in (s/16, q/16 - (s/16)*(s/16))
    let best (m1,v1) (m2,v2) = if v1 <= v2 then (m1,v1) else (m2, v2: f32)
    in (best (best (quad (-3) (-3)) (quad (-3) 0)) (best (quad 0 (-3)) (quad 0 0))).0)
