-- Finite-volume advection in a rotating flow with van Leer slopes, split by dimension; periodic borders.
def slope (a: f32) (b: f32) : f32 =
  if a * b > 0 then 2 * a * b / (a + b) else 0

def sweep [n] (vel: [n]f32) (q: [n]f32) : [n]f32 =
  -- vel[i] is c = u dt/dx at the left face of cell i
  let at i = q[(i + n) % n]
  let s = tabulate n (\i -> slope (at i - at (i - 1)) (at (i + 1) - at i))
  let flux = tabulate n (\i ->
               let l = (i + n - 1) % n
               let c = vel[i]
               in if c >= 0 then c * (q[l] + 0.5 * (1 - c) * s[l])
                  else c * (q[i] - 0.5 * (1 + c) * s[i]))
  in tabulate n (\i -> q[i] - flux[(i + 1) % n] + flux[i])

entry main [h][w] (steps: i64) (cfl: f32) (q0: [h][w]f32) : ([h][w]f32, f32) =
  let u = tabulate_2d h w (\y _ -> cfl * f32.sin (2 * f32.pi * f32.i64 y / f32.i64 h))
  let v = tabulate_2d w h (\x _ -> cfl * f32.cos (2 * f32.pi * f32.i64 x / f32.i64 w))
  let q = loop q = q0 for _s < steps do
            let q = map2 sweep u q
            in transpose (map2 sweep v (transpose q))
  in (q, f32.sum (flatten q) / f32.i64 (h * w))
