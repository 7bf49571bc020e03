-- Back-and-forth error compensated advection (BFECC) of a dye volume: periodic in x, clamped in y, empty outside in z.
def sample [d][h][w] (q: [d][h][w]f32) (z: f32) (y: f32) (x: f32) : f32 =
  let fz = f32.floor z
  let fy = f32.floor y
  let fx = f32.floor x
  let at k j i =
    if k < 0 || k >= d then 0
    else q[k, i64.max 0 (i64.min (h - 1) j), ((i % w) + w) % w]
  let (k, j, i) = (i64.f32 fz, i64.f32 fy, i64.f32 fx)
  let (tz, ty, tx) = (z - fz, y - fy, x - fx)
  let lerp t a b = a * (1 - t) + b * t
  let line kk jj = lerp tx (at kk jj i) (at kk jj (i + 1))
  let plane kk = lerp ty (line kk j) (line kk (j + 1))
  in lerp tz (plane k) (plane (k + 1))

type~ vel [d][h][w] = {u: [d][h][w]f32, v: [d][h][w]f32, w: [d][h][w]f32}

def advect [d][h][w] (dt: f32) (s: vel [d][h][w]) (q: [d][h][w]f32) : [d][h][w]f32 =
  tabulate_3d d h w (\z y x ->
    sample q (f32.i64 z - dt * s.w[z, y, x]) (f32.i64 y - dt * s.v[z, y, x]) (f32.i64 x - dt * s.u[z, y, x]))

def main [d][h][w] (steps: i32) (dt: f32) (q0: [d][h][w]f32) (a: [d][h][w]f32) (b: [d][h][w]f32) (c: [d][h][w]f32) =
  let centre = map (map (map (\x -> 2 * x - 1)))
  let s = {u = centre a, v = centre b, w = centre c}
  let q = loop q = q0 for _i < steps do
            let fwd = advect dt s q
            let back = advect (-dt) s fwd
            let fixed = map2 (map2 (map2 (\q0 q1 -> 1.5 * q0 - 0.5 * q1))) q back
            in map (map (map (\x -> f32.max 0 (f32.min 1 x)))) (advect dt s fixed)
  let mass = map (\pl -> f32.sum (map f32.sum pl)) q
  in (q, mass)
