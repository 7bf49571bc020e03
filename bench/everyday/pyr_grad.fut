-- The gradient of a Laplacian-pyramid loss of image batches: three levels of 2x2 pooling, differences to the up-sampled, a smooth absolute value, weights per level.
def smooth_abs (d: f32) = f32.sqrt (d*d + 1e-3)

def down [h][w] (im: [h*2][w*2]f32): [h][w]f32 =
  let q = unflatten (map unflatten (transpose im))  -- w, 2, h, 2
  in transpose (map (\p -> map2 (\a b -> 0.25 * f32.sum (map2 (+) a b)) p[0] p[1]) q)

def residue [h][w] (im: [h*2][w*2]f32): [h*2][w*2]f32 =
  let d = down im
  in tabulate_2d (h*2) (w*2) (\y x -> im[y, x] - d[y/2, x/2])

def level [h][w] (a: [h][w]f32) (b: [h][w]f32) = f32.sum (map2 (\p q -> f32.sum (map2 (\x y -> smooth_abs (x - y)) p q)) a b)

def loss [h][w] (k: [3]f32) (a: [h*2*2][w*2*2]f32) (b: [h*2*2][w*2*2]f32): f32 =
  let (a1, b1) = (down a, down b)
  in k[0] * level (residue a) (residue b) + k[1] * level (residue a1) (residue b1) + k[2] * level (down a1) (down b1)

entry main [n][h][w] (k: [3]f32) (a: [n][h][w]f32) (b: [n][h][w]f32): ([n][3]f32, [n][h][w]f32) =
  let (hh, ww) = (h / 4, w / 4)
  let one (x: [h][w]f32) (y: [h][w]f32): ([3]f32, [h][w]f32) =
    let cut (v: [h][w]f32) = tabulate_2d (hh*2*2) (ww*2*2) (\i j -> v[i, j])
    in vjp (\(k, x) -> loss k (cut x) (cut y)) (k, x) 1
  in unzip (map2 one a b)
