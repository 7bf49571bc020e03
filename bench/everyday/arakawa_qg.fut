-- Barotropic vorticity in a beta-plane channel (periodic in x, walls in y): Arakawa Jacobian, Jacobi sweeps for the stream function.
def main [h][w] (steps: i32) (sweeps: i32) (beta: f32) (q0: [h][w]f32) =
  let e x = if x + 1 == w then 0 else x + 1
  let o x = if x == 0 then w - 1 else x - 1
  let at (p: [h][w]f32) y x = if y < 0 || y >= h then 0 else p[y, x]
  let poisson (q: [h][w]f32) (p0: [h][w]f32) =
    loop p = p0 for _k < sweeps do
      tabulate_2d h w (\y x -> 0.25 * (at p (y - 1) x + at p (y + 1) x + p[y, o x] + p[y, e x] - q[y, x]))
  let jac p q y x =
    let (l, r) = (o x, e x)
    let j1 = (at p y r - at p y l) * (at q (y + 1) x - at q (y - 1) x)
             - (at p (y + 1) x - at p (y - 1) x) * (at q y r - at q y l)
    let j2 = at p y r * (at q (y + 1) r - at q (y - 1) r) - at p y l * (at q (y + 1) l - at q (y - 1) l)
             - at p (y + 1) x * (at q (y + 1) r - at q (y + 1) l) + at p (y - 1) x * (at q (y - 1) r - at q (y - 1) l)
    let j3 = at q (y + 1) x * (at p (y + 1) r - at p (y + 1) l) - at q (y - 1) x * (at p (y - 1) r - at p (y - 1) l)
             - at q y r * (at p (y + 1) r - at p (y - 1) r) + at q y l * (at p (y + 1) l - at p (y - 1) l)
    in (j1 + j2 + j3) / 12
  let mean = f32.sum (flatten q0) / f32.i64 (h * w)
  let qi = map (map (\v -> v - mean)) q0
  let (q, p) =
    loop (q, p) = (qi, replicate h (replicate w 0)) for _i < steps do
      let p = poisson q p
      let rhs (q: [h][w]f32) y x =
        let visc = at q (y - 1) x + at q (y + 1) x + q[y, o x] + q[y, e x] - 4 * q[y, x]
        in -(jac p q y x) - beta * 0.5 * (p[y, e x] - p[y, o x]) + 0.05 * visc
      let mid = tabulate_2d h w (\y x -> q[y, x] + 0.1 * rhs q y x)
      let q' = tabulate_2d h w (\y x -> q[y, x] + 0.2 * rhs mid y x)
      in (q', p)
  let energy = -0.5 * f32.sum (flatten (map2 (map2 (*)) p q))
  in (q, p, energy)
