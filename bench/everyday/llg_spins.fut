-- Landau-Lifshitz-Gilbert dynamics of a film of classical spins: exchange, anisotropy, an applied field; Heun steps.
type spin = [3]f32

def cross (a: spin) (b: spin) : spin =
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

def unit (a: spin) : spin =
  let n = f32.sqrt (a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
  in map (/ n) a

def torque [h][w] (damp: f32) (s: [h][w]spin) (y: i64) (x: i64) : spin =
  let me = s[y, x]
  let up = s[i64.max 0 (y - 1), x]
  let down = s[i64.min (h - 1) (y + 1), x]
  let left = s[y, i64.max 0 (x - 1)]
  let right = s[y, i64.min (w - 1) (x + 1)]
  let field = map4 (\a b c d -> a + b + c + d) up down left right
  let field = [field[0], field[1] + 0.1, field[2] + 0.3 * me[2]]
  let p = cross me field
  let q = cross me p
  in map2 (\a b -> -a - damp * b) p q

entry main [h][w] (steps: i64) (dt: f32) (damp: f32) (start: [h][w][3]f32) : ([h][w][3]f32, [3]f32) =
  let s0 = map (map (\v -> unit [v[0] - 0.5, v[1] - 0.5, v[2] + 0.2])) start
  let move a s t = unit (map2 (\x y -> x + a * y) s t)
  let s = loop s = s0 for _i < steps do
            let k1 = tabulate_2d h w (torque damp s)
            let p = map2 (map2 (move dt)) s k1
            let k2 = tabulate_2d h w (torque damp p)
            in map3 (map3 (\s a b -> move (dt / 2) s (map2 (+) a b))) s k1 k2
  let mag = map (\c -> f32.sum c / f32.i64 (h * w)) (transpose (flatten s))
  in (s, mag)
