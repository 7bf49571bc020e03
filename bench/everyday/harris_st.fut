-- Structure tensor by central differences, box sums 7x7, corner response and its local maxima.
entry main [h][w] (img: [h][w]u8) : [h][w]bool =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let f = map (map (\p -> f32.u8 p / 255)) img
  let gx = tabulate_2d h w (\y x -> f[y,cl w (x+1)] - f[y,cl w (x-1)])
  let gy = tabulate_2d h w (\y x -> f[cl h (y+1),x] - f[cl h (y-1),x])
  let box (a: [h][w]f32) =
    let r = tabulate_2d h w (\y x -> f32.sum (map (\k -> a[y,cl w (x+k-3)]) (iota 7)))
    in tabulate_2d h w (\y x -> f32.sum (map (\k -> r[cl h (y+k-3),x]) (iota 7)))
  let xx = box (map2 (map2 (*)) gx gx)
  let xy = box (map2 (map2 (*)) gx gy)
  let yy = box (map2 (map2 (*)) gy gy)
  let r = map3 (map3 (\a b c -> a*c - b*b - 0.04*(a+c)*(a+c))) xx xy yy
  in tabulate_2d h w (\y x -> r[y,x] > 0.01 && f32.maximum (tabulate 9 (\k -> r[cl h (y+k/3-1), cl w (x+k%3-1)])) == r[y,x])
