-- Seamless cloning: Poisson's equation for three colours within an ellipse, source gradients inside and the target kept outside, Jacobi sweeps until the largest change is small.
type~ image [h][w] = [h][w](f32, f32, f32)

def plus (a: (f32, f32, f32)) (b: (f32, f32, f32)) = (a.0 + b.0, a.1 + b.1, a.2 + b.2)
def minus (a: (f32, f32, f32)) (b: (f32, f32, f32)) = (a.0 - b.0, a.1 - b.1, a.2 - b.2)
def scale (k: f32) (a: (f32, f32, f32)) = (k * a.0, k * a.1, k * a.2)
def largest (a: (f32, f32, f32)) = f32.max (f32.abs a.0) (f32.max (f32.abs a.1) (f32.abs a.2))

def neighbours [h][w] (a: image [h][w]) (y: i64) (x: i64) =
  a[y-1, x] `plus` a[y+1, x] `plus` a[y, x-1] `plus` a[y, x+1]

entry main [h][w] (limit: i32) (tol: f32) (src: [h][w][3]f32) (dst: [h][w][3]f32): ([h][w][3]f32, f32) =
  let triple (p: [3]f32) = (p[0], p[1], p[2])
  let s = map (map triple) src
  let t = map (map triple) dst
  let inside y x =
    let (dy, dx) = (2*y - h, 2*x - w)
    in y > 0 && x > 0 && y < h-1 && x < w-1 && 10*(dy*dy*w*w + dx*dx*h*h) < 8*h*h*w*w
  let guide = tabulate_2d h w (\y x -> if inside y x then scale 4 s[y, x] `minus` neighbours s y x else (0, 0, 0))
  let sweep a = tabulate_2d h w (\y x ->
    if inside y x then scale 0.25 (neighbours a y x `plus` guide[y, x]) else a[y, x])
  let (res, _, change) =
    loop (a, i, c) = (t, 0, f32.highest) while i < limit && c > tol do
      let b = sweep (iterate 7 sweep a)
      let b2 = sweep b
      in (b2, i + 9, f32.maximum (flatten (map2 (map2 (\p q -> largest (minus p q))) b b2)))
  in (map (map (\(r, g, b) -> [r, g, b])) res, change)
