-- Four levels of a Gaussian pyramid and the band-pass images between them.
def cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
def down [h][w] (a: [h][w]f32) : [h/2][w/2]f32 =
  let r = tabulate_2d h (w/2) (\y x -> (a[y,cl w (2*x-1)] + 2*a[y,2*x] + a[y,cl w (2*x+1)])/4)
  in tabulate_2d (h/2) (w/2) (\y x -> (r[cl h (2*y-1),x] + 2*r[2*y,x] + r[cl h (2*y+1),x])/4)
def up [h][w] (a: [h][w]f32) (hh: i64) (ww: i64) : [hh][ww]f32 =
  tabulate_2d hh ww (\y x ->
    let y0 = cl h (y/2) let y1 = cl h ((y+1)/2) let x0 = cl w (x/2) let x1 = cl w ((x+1)/2)
    in (a[y0,x0]+a[y1,x0]+a[y0,x1]+a[y1,x1])/4)
entry main [h][w] (a: [h][w]f32) : ([h][w]f32, [][]f32, [][]f32, [][]f32) =
  let b = down a
  let c = down b
  let d = down c
  in (map2 (map2 (-)) a (up b h w), map2 (map2 (-)) b (up c (h/2) (w/2)), map2 (map2 (-)) c (up d (h/2/2) (w/2/2)), d)
