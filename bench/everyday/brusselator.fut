-- The Brusselator on a batch of plates, each with its own parameters, no flux through the borders (mirrored), by Heun's method; means and deviations of both substances per plate.
type cell = (f32, f32)

def rhs [h][w] (a: f32) (b: f32) (du: f32) (dv: f32) (s: [h][w]cell): [h][w]cell =
  tabulate_2d h w (\y x ->
    let ym = if y == 0 then 1 else y - 1
    let yp = if y == h-1 then h - 2 else y + 1
    let xm = if x == 0 then 1 else x - 1
    let xp = if x == w-1 then w - 2 else x + 1
    let (u, v) = s[y, x]
    let sum f = f s[ym, x] + f s[yp, x] + f s[y, xm] + f s[y, xp]
    let lu = sum (\(c: cell) -> c.0) - 4*u
    let lv = sum (\(c: cell) -> c.1) - 4*v
    let r = u*u*v
    in (du*lu + a - (b + 1)*u + r, dv*lv + b*u - r))

def heun [h][w] (dt: f32) (f: [h][w]cell -> [h][w]cell) (s: [h][w]cell): [h][w]cell =
  let k1 = f s
  let k2 = f (map2 (map2 (\(u, v) (p, q) -> (u + dt*p, v + dt*q))) s k1)
  in map3 (map3 (\(u, v) (p, q) (r, t) -> (u + dt/2*(p + r), v + dt/2*(q + t)))) s k1 k2

entry main [n][h][w] (steps: i32) (dt: f32) (params: [n][2]f32) (noise: [n][h][w]f32): ([n][h][w]f32, [n][h][w]f32, [n][4]f32) =
  let plate (p: [2]f32) (e: [h][w]f32) =
    let (a, b) = (1.5 + p[0], 2 + p[1])
    let s0 = map (map (\x -> (a + 0.1*(x - 0.5), b/a + 0.1*(0.5 - x)))) e
    let s = iterate steps (heun dt (rhs a b 0.2 1)) s0
    let (us, vs) = (map (map (.0)) s, map (map (.1)) s)
    let stats xs = let m = f32.sum (flatten xs) / f32.i64 (h*w)
                   in (m, f32.sqrt (f32.sum (map (\x -> (x - m)*(x - m)) (flatten xs)) / f32.i64 (h*w)))
    let (mu, su) = stats us
    let (mv, sv) = stats vs
    in (us, vs, [mu, su, mv, sv])
  in unzip3 (map2 plate params noise)
