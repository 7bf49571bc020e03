-- Singular values and determinants of many 3x3 matrices by one-sided Jacobi sweeps.
type col = (f32, f32, f32)

def dot (a: col) (b: col) = a.0 * b.0 + a.1 * b.1 + a.2 * b.2
def mix (c: f32) (a: col) (s: f32) (b: col) : col = (c * a.0 + s * b.0, c * a.1 + s * b.1, c * a.2 + s * b.2)

def rotate (a: col, b: col) : (col, col) =
  let th = 0.5 * f32.atan2 (2 * dot a b) (dot a a - dot b b)
  let (c, s) = (f32.cos th, f32.sin th)
  in (mix c a s b, mix c b (-s) a)

def sweep (a: col, b: col, c: col) : (col, col, col) =
  let (a, b) = rotate (a, b)
  let (a, c) = rotate (a, c)
  let (b, c) = rotate (b, c)
  in (a, b, c)

def sort3 (x: f32) (y: f32) (z: f32) : [3]f32 =
  let hi = f32.max x (f32.max y z)
  let lo = f32.min x (f32.min y z)
  in [hi, f32.max (f32.min x y) (f32.min z (f32.max x y)), lo]

def det (a: col, b: col, c: col) =
  a.0 * (b.1 * c.2 - b.2 * c.1) - b.0 * (a.1 * c.2 - a.2 * c.1) + c.0 * (a.1 * b.2 - a.2 * b.1)

entry main [n] (sweeps: i64) (ms: [n][3][3]f32) : ([n][3]f32, [n]f32, f32) =
  let one (m: [3][3]f32) =
    let column j : col = let at i = m[i, j] + (if i == j then 1.5 else 0)
                         in (at 0, at 1, at 2)
    let start = (column 0, column 1, column 2)
    let (a, b, c) = loop s = start for _k < sweeps do sweep s
    in (sort3 (f32.sqrt (dot a a)) (f32.sqrt (dot b b)) (f32.sqrt (dot c c)), det start)
  let (vals, dets) = unzip (map one ms)
  let worst = reduce f32.max 0 (map (\v -> v[0] / v[2]) vals)
  in (vals, dets, worst)
