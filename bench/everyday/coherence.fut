-- Coherence-enhancing diffusion on a torus: a structure tensor smoothed by a binomial window gives each pixel's diffusion tensor, explicit steps.
type sym = (f32, f32, f32)
def (+^) (a: sym) (b: sym): sym = (a.0 + b.0, a.1 + b.1, a.2 + b.2)
def scale (k: f32) (a: sym): sym = (k*a.0, k*a.1, k*a.2)

def shifted [h][w] 't (im: [h][w]t) (dy: i64) (dx: i64): [h][w]t = map (rotate dx) (rotate dy im)

def binomial5 't [h][w] (add: t -> t -> t) (mul: f32 -> t -> t) (im: [h][w]t): [h][w]t =
  let pass dy dx (im: [h][w]t) =
    let (a, b, c, d) = (shifted im (-2*dy) (-2*dx), shifted im (-dy) (-dx), shifted im dy dx, shifted im (2*dy) (2*dx))
    in tabulate_2d h w (\y x ->
         mul 0.0625 (a[y,x] `add` d[y,x]) `add` mul 0.25 (b[y,x] `add` c[y,x]) `add` mul 0.375 im[y,x])
  in im |> pass 1 0 |> pass 0 1

def gradient [h][w] (im: [h][w]f32): ([h][w]f32, [h][w]f32) =
  (map2 (map2 (\a b -> 0.5*(a-b))) (shifted im 0 1) (shifted im 0 (-1)),
   map2 (map2 (\a b -> 0.5*(a-b))) (shifted im 1 0) (shifted im (-1) 0))

def step [h][w] (tau: f32) (im: [h][w]f32): [h][w]f32 =
  let (gx, gy) = gradient im
  let tensor = map2 (map2 (\x y -> (x*x, x*y, y*y))) gx gy |> binomial5 (+^) scale
  let flux = map3 (map3 (\(a, b, c) x y ->
    let k = 0.9 / (a + c + 0.01)
    let (da, db, dc) = (0.1 + k*c, -k*b, 0.1 + k*a)
    in (da*x + db*y, db*x + dc*y))) tensor gx gy
  let (jx, jy) = unzip (map unzip flux)
  let divergence = map2 (map2 (+)) (gradient jx).0 (gradient jy).1
  in map2 (map2 (\v d -> v + tau*d)) im divergence

entry main [h][w] (steps: i64) (tau: f32) (im: [h][w]f32) = iterate (i32.i64 steps) (step tau) im
