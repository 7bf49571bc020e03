-- Baum-Welch for a hidden Markov model with discrete symbols: scaled forward and backward passes over many sequences, expected counts, re-estimation, a few rounds.
type model [s] [v] = {start: [s]f32, trans: [s][s]f32, emit: [s][v]f32}

def normalise [n] (xs: [n]f32) : [n]f32 =
  let t = f32.sum xs
  in map (/ t) xs

def forward [s] [v] [t] (m: model [s] [v]) (obs: [t]i64) : ([t][s]f32, [t]f32) =
  let alpha0 = map2 (\p e -> p * e[obs[0]]) m.start m.emit
  let c0 = f32.sum alpha0
  let first = map (/ c0) alpha0
  let (out, scales, _) =
    loop (out, scales, prev) = (replicate t first, replicate t c0, first)
    for i in 1..<t do
      let raw = tabulate s (\j -> m.emit[j, obs[i]] * (loop a = 0 for k < s do a + prev[k] * m.trans[k, j]))
      let c = f32.sum raw
      let now = map (/ c) raw
      in (out with [i] = now, scales with [i] = c, now)
  in (out, scales)

def backward [s] [v] [t] (m: model [s] [v]) (obs: [t]i64) (scales: [t]f32) : [t][s]f32 =
  let one = replicate s 1f32
  let (out, _) =
    loop (out, next) = (replicate t one, one)
    for r < t - 1 do
      let i = t - 2 - r
      let now =
        tabulate s (\k ->
          (loop a = 0 for j < s do a + m.trans[k, j] * m.emit[j, obs[i + 1]] * next[j]) / scales[i + 1])
      in (out with [i] = now, now)
  in out

def round [s] [v] [n] [t] (m: model [s] [v]) (seqs: [n][t]i64) : (model [s] [v], f32) =
  let (alpha, scales) = unzip (map (forward m) seqs)
  let beta = map2 (backward m) seqs scales
  let gamma = map2 (map2 (map2 (*))) alpha beta
  -- expected transitions, summed over time in each sequence, then over the sequences
  let xi =
    tabulate_2d s s (\k j ->
      let per =
        map4 (\a b o c ->
                loop acc = 0f32 for i < t - 1 do
                  acc + a[i, k] * m.emit[j, o[i + 1]] * b[i + 1, j] / c[i + 1])
             alpha beta seqs scales
      in m.trans[k, j] * f32.sum per)
  let symbol =
    let flat_obs = flatten seqs
    let flat_gamma = flatten gamma
    in map (\j -> reduce_by_index (replicate v 1e-3f32) (+) 0 flat_obs (map (\g -> g[j]) flat_gamma)) (iota s)
  let start = map (\j -> f32.sum (map (\g -> g[0, j]) gamma)) (iota s)
  let loglik = f32.sum (map (\c -> f32.sum (map f32.log c)) scales)
  in ({start = normalise start, trans = map normalise xi, emit = map normalise symbol}, loglik)

entry main [n] [t] [s] (v: i64) (rounds: i64) (trans: [s][s]f32) (emit: [s][v]f32) (obs: [n][t]u8)
    : ([s]f32, [s][s]f32, [s][v]f32, [rounds]f32) =
  let seqs = map (map (\o -> i64.u8 o % v)) obs
  let fresh r = normalise (map (+ 0.2) r)
  in loop (start, trans, emit, logs) =
       (replicate s (1 / f32.i64 s), map fresh trans, map fresh emit, replicate rounds 0f32)
     for r < rounds do
       let (m, ll) = round {start, trans, emit} seqs
       in (m.start, m.trans, m.emit, logs with [r] = ll / f32.i64 (n * t))
