-- Lucas and Kanade's optical flow: gradients, sums over 5x5, two unknowns.
entry main [h][w] (a: [h][w]f32) (b: [h][w]f32) : ([h][w]f32, [h][w]f32) =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let ix = tabulate_2d h w (\y x -> 0.5*(a[y,cl w (x+1)] - a[y,cl w (x-1)]))
  let iy = tabulate_2d h w (\y x -> 0.5*(a[cl h (y+1),x] - a[cl h (y-1),x]))
  let it = map2 (map2 (-)) b a
  let win (p: [h][w]f32) (q: [h][w]f32) = tabulate_2d h w (\y x ->
    loop s = 0 for dy < 5 do loop s = s for dx < 5 do
      s + p[cl h (y+dy-2), cl w (x+dx-2)] * q[cl h (y+dy-2), cl w (x+dx-2)])
  let xx = win ix ix
  let xy = win ix iy
  let yy = win iy iy
  let xt = win ix it
  let yt = win iy it
  let flow = map5 (map5 (\xx xy yy xt yt -> let d = xx*yy - xy*xy + 1e-6 in ((xy*yt - yy*xt)/d, (xy*xt - xx*yt)/d))) xx xy yy xt yt
  in (map (map (.0)) flow, map (map (.1)) flow)
