-- Lenia with two channels: two ring kernels as lookup tables, growth by bells, each channel fed by both potentials, states clipped to the unit interval, on a torus.
def radius : i64 = 6
def side : i64 = 2*radius + 1

def ring (peak: f32): [side][side]f32 =
  let raw = tabulate_2d side side (\i j ->
    let r = f32.sqrt (f32.i64 ((i - radius)**2 + (j - radius)**2)) / f32.i64 radius
    in if r >= 1 then 0 else f32.exp (-((r - peak)**2) / 0.04))
  let total = f32.sum (flatten raw)
  in map (map (/ total)) raw

def potential [h][w] (k: [side][side]f32) (a: [h][w]f32): [h][w]f32 =
  let at y x =
    loop s = 0 for i < side do
      let yy = (y + i - radius + h) % h
      in loop s for j < side do
           s + k[i, j] * a[yy, (x + j - radius + w) % w]
  in tabulate_2d h w at

def bell (m: f32) (s: f32) (x: f32) = 2 * f32.exp (-((x - m)**2) / (2*s*s)) - 1

entry main [h][w] (steps: i32) (dt: f32) (init: [2][h][w]f32): ([2][h][w]f32, [2]f32) =
  let (k0, k1) = (ring 0.5, ring 0.8)
  let clip = f32.max 0 <-< f32.min 1
  let step (s: [2][h][w]f32) =
    let p = potential k0 s[0]
    let q = potential k1 s[1]
    let new own a b c d = map3 (map3 (\o x y -> clip (o + dt * (0.6 * bell a b x + 0.4 * bell c d y)))) own p q
    in [new s[0] 0.48 0.08 0.45 0.1, new s[1] 0.52 0.1 0.5 0.07]
  let out = iterate steps step init
  in (out, map (\c -> f32.sum (map f32.sum c) / f32.i64 (h*w)) out)
