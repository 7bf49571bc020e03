-- The adjoint of a heat equation: the gradient of the final misfit for the conductivity map and for the initial state, through a loop of explicit steps.
def step [h][w] (k: [h][w]f32) (u: [h][w]f32): [h][w]f32 =
  tabulate_2d h w (\y x ->
    let flux yy xx =
      if yy < 0 || xx < 0 || yy >= h || xx >= w then 0
      else 0.5 * (k[y, x] + k[yy, xx]) * (u[yy, xx] - u[y, x])
    in u[y, x] + 0.2 * (flux (y-1) x + flux (y+1) x + flux y (x-1) + flux y (x+1)))

def misfit [h][w] (steps: i64) (data: [h][w]f32) (k: [h][w]f32, u: [h][w]f32): f32 =
  let u = loop u for _i < steps do step k u
  in f32.sum (map f32.sum (map2 (map2 (\a b -> (a - b)*(a - b))) u data))

entry main [h][w] (steps: i64) (k: [h][w]f32) (u: [h][w]f32) (data: [h][w]f32): (f32, [h][w]f32, [h][w]f32) =
  let (dk, du) = vjp (misfit steps data) (k, u) 1
  in (misfit steps data (k, u) / f32.i64 (h*w), dk, du)
