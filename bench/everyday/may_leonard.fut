-- Three species in cyclic competition with diffusion (May and Leonard) on a torus, semi-implicit in the losses; total of each species at the end.
type~ field [h][w] = [h][w](f32, f32, f32)

def torus (n: i64) (i: i64) = (i + n) % n

def laplace [h][w] (f: field [h][w]) (y: i64) (x: i64): (f32, f32, f32) =
  let get dy dx = f[torus h (y + dy), torus w (x + dx)]
  let sum ps = reduce_comm (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0) ps
  let (a, b, c) = sum [get (-1) 0, get 1 0, get 0 (-1), get 0 1]
  let (d, e, g) = sum [get (-1) (-1), get (-1) 1, get 1 (-1), get 1 1]
  let (p, q, r) = f[y, x]
  let mix near far centre: f32 = 0.2 * near + 0.05 * far - centre
  in (mix a d p, mix b e q, mix c g r)

def update (dt: f32) (alpha: f32) (beta: f32) (u: f32, v: f32, w: f32) (lu: f32, lv: f32, lw: f32): (f32, f32, f32) =
  let one a b c l = (a + dt * (a + l)) / (1 + dt * (a + alpha * b + beta * c))
  in (one u v w lu, one v w u lv, one w u v lw)

entry main [h][w] (n: i32) (dt: f32) (alpha: f32) (beta: f32) (u: [h][w]f32) (v: [h][w]f32) (s: [h][w]f32)
  : ([h][w]f32, [h][w]f32, [h][w]f32, [3]f64) =
  let start: field [h][w] = map3 zip3 u v s
  let final =
    loop f = start for _i < n do
      tabulate_2d h w (\y x -> update dt alpha beta f[y, x] (laplace f y x))
  let (a, b, c) = unzip3 (flatten final)
  let total x = f64.sum (map f64.f32 x) / f64.i64 (h * w)
  in (unflatten a, unflatten b, unflatten c, [total a, total b, total c])
