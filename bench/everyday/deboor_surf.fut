-- Rational cubic B-spline surface evaluated on a grid by de Boor's recursion with clamped knots, plus area by triangles.
def knot (n: i64) (i: i64) : f32 = f32.i64 (i64.max 0 (i64.min (n - 3) (i - 3)))

def deboor (n: i64) (u: f32) (k: i64) (d: *[4][4]f32) : [4]f32 =
  let d = loop d for r in 1..<4 do
    loop d for jj < 4 - r do
      let j = 3 - jj
      let (t0, t1) = (knot n (j + k - 3), knot n (j + 1 + k - r))
      let a = if t1 > t0 then (u - t0) / (t1 - t0) else 0
      let row = map2 (\x y -> (1 - a) * x + a * y) (copy d[j - 1]) (copy d[j])
      in d with [j] = row
  in copy d[3]

def main [m][n] (res: i64) (ctrl: [m][n][4]f32) : ([][]f32, f32) =
  if m < 4 || n < 4 then ([], 0) else
  let pts = map (map (\p -> let w = 0.5 + p[3] in [p[0] * w, p[1] * w, p[2] * w, w])) ctrl
  let span c u = i64.min (c - 1) (3 + i64.f32 u)
  let eval (i: i64) (j: i64) : (f32, f32, f32) =
    let u = f32.i64 i / f32.i64 res * f32.i64 (m - 3)
    let v = f32.i64 j / f32.i64 res * f32.i64 (n - 3)
    let (ku, kv) = (span m u, span n v)
    let curve a = deboor n v kv (tabulate 4 (\b -> copy pts[ku - 3 + a, kv - 3 + b]))
    let p = deboor m u ku (tabulate 4 curve)
    in (p[0] / p[3], p[1] / p[3], p[2] / p[3])
  let grid = tabulate_2d (res + 1) (res + 1) eval
  let tri (a: (f32, f32, f32)) (b: (f32, f32, f32)) (c: (f32, f32, f32)) =
    let (ux, uy, uz) = (b.0 - a.0, b.1 - a.1, b.2 - a.2)
    let (vx, vy, vz) = (c.0 - a.0, c.1 - a.1, c.2 - a.2)
    let (x, y, z) = (uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
    in 0.5 * f32.sqrt (x * x + y * y + z * z)
  let area = f32.sum (flatten (tabulate_2d res res (\i j ->
               tri grid[i, j] grid[i + 1, j] grid[i, j + 1] + tri grid[i + 1, j + 1] grid[i + 1, j] grid[i, j + 1])))
  in (map (map (.2)) grid, area)
