-- Blur, gradients, thinning, double threshold.
entry main [h][w] (img: [h][w]u8) : [h][w]u8 =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let f = map (map i32.u8) img
  let k : [3]i32 = [1,2,1]
  let b = tabulate_2d h w (\y x -> i32.sum (flatten (tabulate_2d 3 3 (\i j -> k[i]*k[j]*f[cl h (y+i-1), cl w (x+j-1)]))) / 16)
  let gx = tabulate_2d h w (\y x -> b[y,cl w (x+1)] - b[y,cl w (x-1)])
  let gy = tabulate_2d h w (\y x -> b[cl h (y+1),x] - b[cl h (y-1),x])
  let mag = map2 (map2 (\a b -> i32.abs a + i32.abs b)) gx gy
  let thin = tabulate_2d h w (\y x ->
    let m = mag[y,x]
    let (p, q) = if i32.abs gx[y,x] > i32.abs gy[y,x] then (mag[y,cl w (x-1)], mag[y,cl w (x+1)]) else (mag[cl h (y-1),x], mag[cl h (y+1),x])
    in if m >= p && m >= q then m else 0)
  in tabulate_2d h w (\y x -> let m = thin[y,x] in
    if m > 120 then 255 else if m < 60 then 0 else
    if i32.maximum (flatten (tabulate_2d 3 3 (\i j -> thin[cl h (y+i-1), cl w (x+j-1)]))) > 120 then 255 else 0)
