-- Turtle drawing from bytes of commands: scan of rigid motions in f64, pen segments, bounding boxes per block of commands, total turning.
type pose = (f64, f64, f64, f64)   -- cos, sin, x, y
def andthen ((c1, s1, x1, y1): pose) ((c2, s2, x2, y2): pose) : pose =
  (c1 * c2 - s1 * s2, s1 * c2 + c1 * s2, x1 + c1 * x2 - s1 * y2, y1 + s1 * x2 + c1 * y2)

def command (angle: f64) (k: i8) : pose =
  if k >= 64 then (f64.cos angle, f64.sin angle, 0, 0)
  else if k >= 0 then (f64.cos angle, -(f64.sin angle), 0, 0)
  else let l = 1 + f64.i8 (k & 7) / 8 in (1, 0, l, 0)

def main [b][k] (angle: f64) (cmds: [b][k]i8) =
  let a = 0.1 + 1.4 * angle
  let poses = scan andthen (1, 0, 0, 0) (map (command a) (flatten cmds))
  let grid = unflatten poses
  let boxes = map (\row ->
    reduce (\(x0, x1, y0, y1) (u0, u1, v0, v1) -> (f64.min x0 u0, f64.max x1 u1, f64.min y0 v0, f64.max y1 v1))
           (f64.inf, -f64.inf, f64.inf, -f64.inf)
           (map (\(_, _, x, y) -> (x, x, y, y)) row)) grid
  let pieces = map (reduce andthen (1, 0, 0, 0)) (map (map (command a)) cmds)
  let travel = map (\r -> f64.sum (map (\c -> let (_, _, l, _) = command a c in l) r)) cmds
  let straight = map (\(_, _, x, y) -> f64.sqrt (x * x + y * y)) pieces
  let tortuosity = map2 (\t s -> t / (s + 1)) travel straight
  let turn = i64.sum (map (\c -> if c >= 64 then 1 else if c >= 0 then -1 else 0) (flatten cmds))
  let xs = map (map (\(_, _, x, _) -> f32.f64 x)) grid
  let ys = map (map (\(_, _, _, y) -> f32.f64 y)) grid
  in (xs, ys, map (\(p, q, _, _) -> q - p) boxes, map (\(_, _, p, q) -> q - p) boxes, tortuosity, turn)
