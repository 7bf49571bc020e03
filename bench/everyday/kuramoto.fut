-- Coupled oscillators through their mean field: Heun's steps, two reductions each.
def field [n] (phase: [n]f32) : (f32, f32) =
  let (c, s) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (\p -> (f32.cos p, f32.sin p)) phase)
  in (c / f32.i64 n, s / f32.i64 n)

def drive [n] (k: f32) (omega: [n]f32) (phase: [n]f32) : [n]f32 =
  let (c, s) = field phase
  in map2 (\w p -> w + k * (s * f32.cos p - c * f32.sin p)) omega phase

entry main [n] (steps: i64) (dt: f32) (k: f32) (omega: [n]f32) (phase: [n]f32) : ([steps]f32, [n]f32) =
  let omega = map (\w -> w - 0.5) omega
  let start = map (\p -> 2 * f32.pi * p * p) phase
  let trace = replicate steps 0
  in loop (trace, p) = (trace, start) for t < steps do
       let a = drive k omega p
       let b = drive k omega (map2 (\x v -> x + dt * v) p a)
       let p = map3 (\x u v -> x + 0.5 * dt * (u + v)) p a b
       let (c, s) = field p
       let trace[t] = f32.sqrt (c * c + s * s)
       in (trace, p)
