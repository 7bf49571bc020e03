-- Fits a damped cosine with three parameters to each row by Levenberg-Marquardt, the Jacobian by jvp.
type par = (f32, f32, f32)

def model ((a, b, c): par) (t: f32) : f32 = a * f32.exp (-b * t) * f32.cos (c * t)

def solve3 (m: [3][3]f32) (r: [3]f32) : par =
  let det a b c d e f g h i = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  let dd = det m[0, 0] m[0, 1] m[0, 2] m[1, 0] m[1, 1] m[1, 2] m[2, 0] m[2, 1] m[2, 2]
  let x = det r[0] m[0, 1] m[0, 2] r[1] m[1, 1] m[1, 2] r[2] m[2, 1] m[2, 2]
  let y = det m[0, 0] r[0] m[0, 2] m[1, 0] r[1] m[1, 2] m[2, 0] r[2] m[2, 2]
  let z = det m[0, 0] m[0, 1] r[0] m[1, 0] m[1, 1] r[1] m[2, 0] m[2, 1] r[2]
  in (x / dd, y / dd, z / dd)

def fit [m] (steps: i32) (damp: f32) (ys: [m]f32) : (par, f32) =
  let time (i: i64) = 3 * f32.i64 i / f32.i64 m
  let step (p: par) : par =
    let row (i: i64) (y: f32) : (f32, f32, f32, f32) =
      let f q = model q (time i)
      in (jvp f p (1, 0, 0), jvp f p (0, 1, 0), jvp f p (0, 0, 1), y - f p)
    let (j0, j1, j2, r) = unzip4 (map2 row (iota m) ys)
    let s u v = f32.sum (map2 (*) u v) / f32.i64 m
    let a = [[s j0 j0 + damp, s j0 j1, s j0 j2],
             [s j0 j1, s j1 j1 + damp, s j1 j2],
             [s j0 j2, s j1 j2, s j2 j2 + damp]]
    let d = solve3 a [s j0 r, s j1 r, s j2 r]
    in (p.0 + d.0, p.1 + d.1, p.2 + d.2)
  let p = iterate steps step (1, 0.5, 2)
  in (p, f32.sum (map2 (\i y -> let e = y - model p (time i) in e * e) (iota m) ys))

entry main [n] [m] (steps: i32) (damp: f32) (truth: [n][3]f32) (noise: [n][m]f32) : ([n]f32, [n]f32, [n]f32, [n]f32) =
  let row (t: [3]f32) (e: [m]f32) =
    let p = (0.8 + 0.4 * t[0], 0.4 + 0.2 * t[1], 1.8 + 0.4 * t[2])
    let ys = map2 (\i x -> model p (3 * f32.i64 i / f32.i64 m) + 0.05 * (x - 0.5)) (iota m) e
    let ((a, b, c), err) = fit steps damp ys
    in (a, b, c, err)
  in unzip4 (map2 row truth noise)
