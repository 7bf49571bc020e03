-- Structural similarity at four scales of a batch of image pairs: Gaussian windows of 11 in two passes, halved between scales by 2x2 means, weighted sums of the scales' means.
def window: [11]f32 =
  let g = map (\i -> let x = f32.i64 (i - 5) in f32.exp (-x*x/4.5)) (iota 11)
  in map (/ f32.sum g) g

def blur (h: i64) (w: i64) (f: i64 -> i64 -> f32): [h][w]f32 =
  let rows = tabulate_2d h w (\y x ->
    #[sequential] f32.sum (map2 (\k o -> k * f y (i64.max 0 (i64.min (w-1) (x + o - 5)))) window (iota 11)))
  in tabulate_2d h w (\y x ->
    #[sequential] f32.sum (map2 (\k o -> k * rows[i64.max 0 (i64.min (h-1) (y + o - 5)), x]) window (iota 11)))

def ssim [h][w] (a: [h][w]f32) (b: [h][w]f32): (f32, f32) =
  let ma = blur h w (\y x -> a[y, x])
  let mb = blur h w (\y x -> b[y, x])
  let aa = blur h w (\y x -> a[y, x]*a[y, x])
  let bb = blur h w (\y x -> b[y, x]*b[y, x])
  let ab = blur h w (\y x -> a[y, x]*b[y, x])
  let (c1, c2) = (0.0001, 0.0009)
  let at y x =
    let (p, q) = (ma[y, x], mb[y, x])
    let cs = (2*(ab[y, x] - p*q) + c2) / (aa[y, x] - p*p + bb[y, x] - q*q + c2)
    in (cs * (2*p*q + c1) / (p*p + q*q + c1), cs)
  let n = f32.i64 (h*w)
  let (s, c) = reduce_comm (\x y -> (x.0 + y.0, x.1 + y.1)) (0, 0) (flatten (tabulate_2d h w at))
  in (s/n, c/n)

def half [h][w] (a: [h][w]f32): [h/2][w/2]f32 =
  tabulate_2d (h/2) (w/2) (\y x -> (a[2*y, 2*x] + a[2*y+1, 2*x] + a[2*y, 2*x+1] + a[2*y+1, 2*x+1]) / 4)

entry main [n][h][w] (ref: [n][h][w]u8) (noise: [n][h][w]u8): ([n]f32, [n][4]f32) =
  let one r e =
    let a = map (map (\v -> f32.u8 v / 255)) r
    let b = map2 (map2 (\x v -> 0.75*x + 0.25*f32.u8 v/255)) a e
    let (a1, b1) = (half a, half b)
    let (a2, b2) = (half a1, half b1)
    let (a3, b3) = (half a2, half b2)
    let cs = [(ssim a b).1, (ssim a1 b1).1, (ssim a2 b2).1, (ssim a3 b3).0]
    in (f32.sum (map2 (*) [0.1, 0.3, 0.35, 0.25] cs), cs)
  in unzip (map2 one ref noise)
