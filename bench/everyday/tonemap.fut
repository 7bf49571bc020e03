-- Reinhard's operator, local version: log average, then a blur's luminance.
entry main [h][w] (key: f32) (img: [h][w][3]f32) : [h][w][3]f32 =
  let lum = map (map (\p -> 0.2126*p[0] + 0.7152*p[1] + 0.0722*p[2])) img
  let avg = f32.exp (f32.sum (flatten (map (map (\l -> f32.log (l + 1e-4))) lum)) / f32.i64 (h*w))
  let scaled = map (map (\l -> key*l/avg)) lum
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let by = tabulate_2d h w (\y x -> (scaled[cl h (y-2),x] + 4*scaled[cl h (y-1),x] + 6*scaled[y,x] + 4*scaled[cl h (y+1),x] + scaled[cl h (y+2),x])/16)
  let bx = tabulate_2d h w (\y x -> (by[y,cl w (x-2)] + 4*by[y,cl w (x-1)] + 6*by[y,x] + 4*by[y,cl w (x+1)] + by[y,cl w (x+2)])/16)
  in tabulate_2d h w (\y x -> let f = scaled[y,x]/(1+bx[y,x])/(lum[y,x]+1e-6) in map (\c -> f32.min 1 (c*f)) img[y,x])
