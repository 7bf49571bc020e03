-- A continuous normalising flow: Runge-Kutta steps of a small network and of the trace of its Jacobian by forward mode.
def field [d][h] (w1: [h][d]f32) (w2: [d][h]f32) (t: f32) (y: [d]f32) : [d]f32 =
  let hid = map (\r -> f32.tanh (t - 0.5 + f32.sum (map2 (*) r y))) w1
  in map (\r -> f32.sum (map2 (*) r hid)) w2

def unit (d: i64) (i: i64) : [d]f32 = map (\j -> f32.bool (i == j)) (iota d)

def with_trace [d] (f: [d]f32 -> [d]f32) (y: [d]f32) : ([d]f32, f32) =
  let tr = loop acc = 0 for i < d do acc + (jvp f y (unit d i))[i]
  in (f y, tr)

entry main [n][d][h] (steps: i64) (ys: [n][d]f32) (w1: [h][d]f32) (w2: [d][h]f32) : ([n][d]f32, [n]f32) =
  let dt = 1 / f32.i64 steps
  let small [q] (r: [q]f32) = map (\v -> (v - 0.5) * 3 / f32.sqrt (f32.i64 q)) r
  let f = field (map small w1) (map small w2)
  let move (a: f32) (k: [d]f32) (y: [d]f32) = map2 (\p q -> a * p + q) k y
  let flow (y: [d]f32) =
    loop (y, lp) = (y, 0) for s < steps do
      let t = f32.i64 s * dt
      let (k1, t1) = with_trace (f t) y
      let (k2, t2) = with_trace (f (t + dt / 2)) (move (dt / 2) k1 y)
      let (k3, t3) = with_trace (f (t + dt)) (move dt (map2 (\a b -> 2 * b - a) k1 k2) y)
      in (map4 (\p a b c -> p + dt / 6 * (a + 4 * b + c)) y k1 k2 k3, lp - dt / 6 * (t1 + 4 * t2 + t3))
  in unzip (map flow ys)
