entry main [h][w] (img: [h][w][3]u8) : [h][w][3]u8 =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  in tabulate_2d h w (\y x ->
    let p = map f32.u8 img[y,x]
    let (s, n) = loop (s, n) = ([0,0,0], 0) for dy < 5i64 do loop (s, n) = (s, n) for dx < 5i64 do
      let q = map f32.u8 img[cl h (y+dy-2), cl w (x+dx-2)]
      let d = f32.sum (map2 (\a b -> (a-b)*(a-b)) p q)
      let g = f32.exp (-d/1800 - f32.i64 ((dy-2)*(dy-2)+(dx-2)*(dx-2))/8)
      in (map2 (\s q -> s + g*q) s q, n + g)
    in map (\s -> u8.f32 (s/n)) s)
