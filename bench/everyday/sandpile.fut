entry main [h][w] (a: [h][w]i32) : ([h][w]i32, i32) =
  let a = map (map (\v -> (v & 7))) a
  let (a, n, _) = loop (a, n, go) = (a, 0, true) while go && n < 500 do
    let get y x = if y < 0 || x < 0 || y >= h || x >= w then 0 else a[y,x] / 4
    let b = tabulate_2d h w (\y x -> a[y,x] % 4 + get (y-1) x + get (y+1) x + get y (x-1) + get y (x+1))
    in (b, n+1, any (> 3) (flatten b))
  in (a, n)
