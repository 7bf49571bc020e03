-- Hamilton filter and Kim smoother of a three-regime Markov-switching model, for many return series.
def mu : [3]f32 = [0.05, 0.0, -0.08]
def sd : [3]f32 = [0.08, 0.2, 0.35]
def trans : [3][3]f32 = [[0.95, 0.04, 0.01], [0.05, 0.9, 0.05], [0.02, 0.08, 0.9]]

def dens (x: f32) : [3]f32 = map2 (\m s -> let z = (x - m) / s in f32.exp (-0.5 * z * z) / s + 1e-20) mu sd
def predict (p: [3]f32) : [3]f32 = map (\c -> f32.sum (map2 (*) c p)) (transpose trans)

def filter_one [n] (xs: [n]f32) : ([n][3]f32, f32) =
  let (ps, _, ll) =
    loop (ps, p, ll) = (replicate n (replicate 3 0), replicate 3 (1 / 3), 0) for t < n do
      let j = map2 (*) (predict p) (dens xs[t])
      let s = f32.sum j
      let p' = map (/ s) j
      in (ps with [t] = p', p', ll + f32.log s)
  in (ps, ll)

def smooth_one [n] (ps: [n][3]f32) : [3]f32 =
  (loop (acc, s) = (map (/ f32.i64 n) ps[n - 1], ps[n - 1]) for i < n - 1 do
     let t = n - 2 - i
     let pr = predict ps[t]
     let r = map2 (/) s pr
     let s' = map2 (\p row -> p * f32.sum (map2 (*) row r)) ps[t] trans
     in (map2 (\a x -> a + x / f32.i64 n) acc s', s')).0

entry main [m][n] (us: [m][n]f32) : ([m]f32, [m][3]f32, [n]f32) =
  let xs = map (map2 (\t u -> (u - 0.48) * (if (t / 60) % 2 == 0 then 0.25 else 1)) (iota n)) us
  let (ps, ll) = unzip (map filter_one xs)
  let occ = map smooth_one ps
  let crisis = map (\p -> f32.sum (map (\q -> q[2]) p) / f32.i64 m) (transpose ps)
  in (ll, occ, crisis)
