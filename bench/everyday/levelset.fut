-- A level set moved in its normal direction with a given speed (Godunov's upwind) and curvature, reinitialised every five steps; area and length at the end.
def grid [h][w] (phi: [h][w]f32) (y: i64) (x: i64): f32 =
  phi[i64.max 0 (i64.min (h - 1) y), i64.max 0 (i64.min (w - 1) x)]

def pos (a: f32): f32 = f32.max 0 a
def neg (a: f32): f32 = f32.min 0 a
def sq (a: f32): f32 = a * a

def upwind (plus: f32) (minus: f32) (c: f32) (l: f32) (r: f32) (u: f32) (d: f32): f32 =
  let (a, b, e, f) = (c - l, r - c, c - u, d - c)
  let up = f32.sqrt (f32.max (sq (pos a)) (sq (neg b)) + f32.max (sq (pos e)) (sq (neg f)))
  let down = f32.sqrt (f32.max (sq (neg a)) (sq (pos b)) + f32.max (sq (neg e)) (sq (pos f)))
  in plus * up + minus * down

def evolve [h][w] (dt: f32) (mu: f32) (speed: [h][w]f32) (phi: [h][w]f32): [h][w]f32 =
  tabulate_2d h w (\y x ->
    let g dy dx = grid phi (y + dy) (x + dx)
    let (c, l, r, u, d) = (g 0 0, g 0 (-1), g 0 1, g (-1) 0, g 1 0)
    let (px, py) = (0.5 * (r - l), 0.5 * (d - u))
    let (pxx, pyy) = (r - 2 * c + l, d - 2 * c + u)
    let pxy = 0.25 * (g 1 1 - g 1 (-1) - g (-1) 1 + g (-1) (-1))
    let bend = (pxx * py * py - 2 * px * py * pxy + pyy * px * px) / (px * px + py * py + 0.1)
    let s = speed[y, x] - 0.5
    in c + dt * (mu * bend - upwind (pos s) (neg s) c l r u d))

def reinit [h][w] (phi0: [h][w]f32): [h][w]f32 =
  loop phi = phi0 for _i < 3i32 do
    tabulate_2d h w (\y x ->
      let c = phi[y, x]
      let s = phi0[y, x] / f32.sqrt (sq phi0[y, x] + 1)
      let g = upwind (pos s) (neg s) c (grid phi y (x - 1)) (grid phi y (x + 1)) (grid phi (y - 1) x) (grid phi (y + 1) x)
      in c - 0.4 * (g - s))

entry main [h][w] (n: i32) (dt: f32) (mu: f32) (speed: [h][w]f32): ([h][w]f32, f32, f32) =
  let wave i = f32.cos (f32.i64 i * 0.2)
  let start = tabulate_2d h w (\y x -> 4 * (wave y + wave x) + 0.5)
  let phi = loop phi = start for i < n do
              let phi = evolve dt mu speed phi
              in if i % 5 == 4 then reinit phi else phi
  let inside = map (map (\p -> 0.5 - 0.5 * f32.tanh p)) phi
  let band = map (map (\p -> let t = f32.tanh p in 0.5 * (1 - t * t))) phi
  in (phi, f32.sum (map f32.sum inside), f32.sum (map f32.sum band))
