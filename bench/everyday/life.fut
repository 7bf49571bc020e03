entry main [h][w] (steps: i32) (a: [h][w]u8) : [h][w]u8 =
  let a = map (map (\x -> x & 1)) a
  let step (a: [h][w]u8) = tabulate_2d h w (\y x ->
    let n = u8.sum (tabulate 9 (\k -> if k == 4 then 0 else a[(y + k/3 + h - 1) % h, (x + k%3 + w - 1) % w]))
    in u8.bool (n == 3 || (n == 2 && a[y,x] == 1)))
  in iterate steps step a
