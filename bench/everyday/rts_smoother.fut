-- Kalman filter and Rauch-Tung-Striebel smoother for many tracks with constant-velocity motion in the plane: 4 states, 2 measurements, gaps where nothing was measured.
def mm [a] [b] [c] (x: [a][b]f32) (y: [b][c]f32) : [a][c]f32 =
  tabulate_2d a c (\i j -> loop s = 0 for k < b do s + x[i, k] * y[k, j])

def mv [a] [b] (x: [a][b]f32) (v: [b]f32) : [a]f32 =
  tabulate a (\i -> loop s = 0 for k < b do s + x[i, k] * v[k])

def madd [a] [b] (x: [a][b]f32) (y: [a][b]f32) : [a][b]f32 = map2 (map2 (+)) x y
def msub [a] [b] (x: [a][b]f32) (y: [a][b]f32) : [a][b]f32 = map2 (map2 (-)) x y

def motion : [4][4]f32 = [[1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]

def process (q: f32) : [4][4]f32 =
  map (map (* q)) [[0.33, 0, 0.5, 0], [0, 0.33, 0, 0.5], [0.5, 0, 1, 0], [0, 0.5, 0, 1]]

-- Solves p x = b for positive definite p without pivoting.
def solve [n] [m] (p: [n][n]f32) (b: [n][m]f32) : [n][m]f32 =
  let (_, x) =
    loop (p, x) = (copy p, copy b) for k < n do
      let pivot = 1 / p[k, k]
      let prow = map (* pivot) p[k]
      let xrow = map (* pivot) x[k]
      let p' = tabulate_2d n n (\i j -> if i == k then prow[j] else p[i, j] - p[i, k] * prow[j])
      let x' = tabulate_2d n m (\i j -> if i == k then xrow[j] else x[i, j] - p[i, k] * xrow[j])
      in (p', x')
  in x

def predict (q: f32) (x: [4]f32) (p: [4][4]f32) : ([4]f32, [4][4]f32) =
  let f = copy motion
  in (mv f x, madd (mm (mm f p) (transpose f)) (process q))

def update (r: f32) (x: [4]f32) (p: [4][4]f32) (z: [2]f32) : ([4]f32, [4][4]f32) =
  let (a, b, d) = (p[0, 0] + r, p[0, 1], p[1, 1] + r)
  let det = a * d - b * b
  let gain = tabulate_2d 4 2 (\i j -> (if j == 0 then p[i, 0] * d - p[i, 1] * b else p[i, 1] * a - p[i, 0] * b) / det)
  let e = [z[0] - x[0], z[1] - x[1]]
  in (map2 (+) x (mv gain e), msub p (mm gain (take 2 p)))

def filter [t] (q: f32) (r: f32) (zs: [t][2]f32) (seen: [t]bool) : ([t][4]f32, [t][4][4]f32) =
  let p0 = tabulate_2d 4 4 (\i j -> if i == j then 1 else 0f32)
  let x0 = [zs[0, 0], zs[0, 1], 0, 0]
  let (xs, ps, _, _) =
    loop (xs, ps, x, p) = (replicate t x0, replicate t p0, x0, p0) for i in 1..<t do
      let (xp, pp) = predict q x p
      let (x', p') = if seen[i] then update r xp pp zs[i] else (xp, pp)
      in (xs with [i] = x', ps with [i] = p', x', p')
  in (xs, ps)

def smooth [t] (q: f32) (xs: [t][4]f32) (ps: [t][4][4]f32) : ([t][4]f32, [t]f32) =
  let (out, spread, _, _) =
    loop (out, spread, x, p) = (copy xs, replicate t (ps[t - 1, 0, 0] + ps[t - 1, 1, 1]), xs[t - 1], ps[t - 1])
    for k < t - 1 do
      let i = t - 2 - k
      let (xp, pp) = predict q xs[i] ps[i]
      -- gain^T = pp^-1 F P
      let g = transpose (solve pp (mm motion ps[i]))
      let x' = map2 (+) xs[i] (mv g (map2 (-) x xp))
      let p' = madd ps[i] (mm (mm g (msub p pp)) (transpose g))
      in (out with [i] = x', spread with [i] = p'[0, 0] + p'[1, 1], x', p')
  in (out, spread)

entry main [n] [t] (q: f32) (r: f32) (zs: [n][t][2]f32) (seen: [n][t]bool) : ([n][t][4]f32, [n][t]f32, [t]f32) =
  let (xs, ps) = unzip (map2 (filter q r) zs seen)
  let (out, spread) = unzip (map2 (smooth q) xs ps)
  let moved =
    tabulate t (\i -> f32.sum (map2 (\a b -> (a[i, 0] - b[i, 0]) ** 2 + (a[i, 1] - b[i, 1]) ** 2) out xs) / f32.i64 n)
  in (out, spread, moved)
