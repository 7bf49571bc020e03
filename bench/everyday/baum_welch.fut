-- Hidden Markov model training: scaled forward-backward on a batch of byte sequences, expected counts, several EM rounds.
type model [s][o] = {init: [s]f32, trans: [s][s]f32, emit: [o][s]f32}

def scale [n] (x: [n]f32) : ([n]f32, f32) =
  let z = f32.sum x + 1e-20
  in (map (/ z) x, z)

def rows_to_one [m][n] (a: [m][n]f32) : [m][n]f32 = map (\r -> (scale (map (+ 1e-4) r)).0) a

def forward [s][o][t] (m: model [s][o]) (xs: [t]i64) : ([t][s]f32, [t]f32) =
  let into = transpose m.trans
  let a0 = scale (map2 (*) m.init m.emit[xs[0]])
  let alpha = replicate t a0.0
  let norm = replicate t a0.1
  let (alpha, norm, _) =
    loop (alpha, norm, a) = (alpha, norm, a0.0) for i in 1..<t do
      let p = map (\col -> f32.sum (map2 (*) col a)) into
      let (a, z) = scale (map2 (*) p m.emit[xs[i]])
      in (alpha with [i] = a, norm with [i] = z, a)
  in (alpha, norm)

def backward [s][o][t] (m: model [s][o]) (xs: [t]i64) (norm: [t]f32) : [t][s]f32 =
  let beta = replicate t (replicate s 1)
  let (beta, _) =
    loop (beta, b) = (beta, replicate s 1) for k < t - 1 do
      let i = t - 2 - k
      let e = map2 (*) m.emit[xs[i + 1]] b
      let b = map (\row -> f32.sum (map2 (*) row e) / norm[i + 1]) m.trans
      in (beta with [i] = b, b)
  in beta

-- Expected counts of one sequence: first states, transitions, states at each symbol; and its log likelihood.
def expect [s][o][t] (m: model [s][o]) (xs: [t]i64) : ([s]f32, [s][s]f32, [o][s]f32, f32) =
  let (alpha, norm) = forward m xs
  let beta = backward m xs norm
  let gamma = map2 (\a b -> map2 (*) a b) alpha beta
  let xi = tabulate_2d s s (\i j ->
             m.trans[i, j] * (loop acc = 0 for k < t - 1 do
               acc + alpha[k, i] * m.emit[xs[k + 1], j] * beta[k + 1, j] / norm[k + 1]))
  let seen = tabulate_2d o s (\c j -> loop acc = 0 for k < t do if xs[k] == c then acc + gamma[k, j] else acc)
  in (gamma[0], xi, seen, f32.sum (map f32.log norm))

def mean_of [n][a][b] (x: [n][a][b]f32) : [a][b]f32 =
  map (map (\v -> f32.sum v / f32.i64 n)) (map transpose (transpose x))

def round [n][s][o][t] (seqs: [n][t]i64) (m: model [s][o]) : (model [s][o], f32) =
  let (g0, xi, seen, ll) = unzip4 (map (expect m) seqs)
  let init = (scale (map (\c -> f32.sum c + 1e-4) (transpose g0))).0
  let trans = rows_to_one (mean_of xi)
  let emit = transpose (rows_to_one (transpose (mean_of seen)))
  in ({init, trans, emit}, f32.sum ll / f32.i64 n)

entry main [n][t][s][o] (rounds: i64) (data: [n][t]u8) (trans0: [s][s]f32) (emit0: [s][o]f32) =
  let seqs = map (map (\b -> i64.u8 b * o / 256)) data
  let m0 = {init = replicate s (1 / f32.i64 s), trans = rows_to_one trans0, emit = transpose (rows_to_one emit0)}
  let (m, ll) = loop (m, _) = (m0, 0) for _r < rounds do round seqs m
  in (m.init, m.trans, m.emit, ll)
