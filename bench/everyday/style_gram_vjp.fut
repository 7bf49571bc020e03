-- Style transfer step: strided convolution features, Gram matrices against a style's, total variation; image gradient by vjp, three descents.
def features [c][f][h][w] (k: [f][c][3][3]f32) (img: [c][h][w]f32) =
  tabulate_3d f ((h + 1) / 2) ((w + 1) / 2) (\o y x ->
    let taps = tabulate_3d c 3 3 (\i dy dx ->
      let yy = i64.max 0 (i64.min (h - 1) (2 * y + dy - 1))
      let xx = i64.max 0 (i64.min (w - 1) (2 * x + dx - 1))
      in k[o, i, dy, dx] * img[i, yy, xx])
    let a = f32.sum (flatten_3d taps)
    in f32.log (1 + f32.exp (4 * a)) / 4)

def gram [f][h][w] (a: [f][h][w]f32) : [f][f]f32 =
  let v = map flatten a
  in map (\p -> map (\q -> f32.sum (map2 (*) p q) / f32.i64 (h * w)) v) v

def tv [c][h][w] (img: [c][h][w]f32) : f32 =
  let d i y x =
    let v = img[i, y, x]
    let r = if x + 1 < w then img[i, y, x + 1] - v else 0
    let b = if y + 1 < h then img[i, y + 1, x] - v else 0
    in f32.sqrt (r * r + b * b + 1e-3)
  in f32.sum (flatten_3d (tabulate_3d c h w d)) / f32.i64 (h * w)

def main [c][h][w][f] (rate: f32) (image: [c][h][w]f32) (style: [c][h][w]f32) (k0: [f][c][3][3]f32) =
  let k = map (map (map (map (\v -> (v - 0.5) / f32.i64 c)))) k0
  let want = gram (features k style)
  let loss img =
    let g = gram (features k img)
    in f32.sum (map2 (\a b -> f32.sum (map2 (\u v -> (u - v) * (u - v)) a b)) g want) + 0.01 * tv img
  let step img = map2 (map2 (map2 (\v g -> v - rate * f32.i64 (h * w) * 0.01 * g))) img (vjp loss img 1)
  let out = iterate 3 step image
  in (out, loss image, loss out)
