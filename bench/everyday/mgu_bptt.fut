-- A training step of a minimal gated unit over short sequences, back-propagation through time by hand.
def sigmoid (x: f32) = 1 / (1 + f32.exp (-x))

-- Gate and candidate of one unit from its two input sums and its state.
def gates (uf: f32) (uc: f32) (af: f32) (ac: f32) (s: f32) : (f32, f32) =
  let f = sigmoid (af + uf * s)
  in (f, f32.tanh (ac + uc * f * s))

entry main [b][t][k][h] (rate: f32) (xs: [b][t][k]f32) (ys: [b]f32) (wf0: [h][k]f32) (wc0: [h][k]f32) (u: [2][h]f32)
    : ([h][k]f32, [h][k]f32, [h]f32, [h]f32) =
  let small w = map (map (\w -> (w - 0.5) / f32.sqrt (f32.i64 k))) w
  let (wf, wc, uf, uc) = (small wf0, small wc0, u[0], u[1])
  let project w = map (map (\x -> map (\r -> f32.sum (map2 (*) r x)) w)) xs
  let (pf, pc) = (project wf, project wc)
  let one (pf: [t][h]f32) (pc: [t][h]f32) (y: f32) =
    let (hist, last) =
      loop (hist, s) = (replicate t (replicate h 0), replicate h 0) for i < t do
        (hist with [i] = s,
         map5 (\uf uc af ac s -> let (f, c) = gates uf uc af ac s in (1 - f) * s + f * c) uf uc pf[i] pc[i] s)
    let seed = 2 * (f32.sum last / f32.i64 h - y) / f32.i64 (h * b)
    let (daf, dac, duc, _) =
      loop (daf, dac, duc, ds) = (replicate t (replicate h 0), replicate t (replicate h 0), replicate h 0, replicate h seed) for j < t do
        let i = t - 1 - j
        let s = copy hist[i]
        let (f, c) = unzip (map5 gates uf uc pf[i] pc[i] s)
        let ga = map3 (\d f c -> d * f * (1 - c * c)) ds f c
        let gf = tabulate h (\q -> (ds[q] * (c[q] - s[q]) + ga[q] * uc[q] * s[q]) * f[q] * (1 - f[q]))
        let ds = tabulate h (\q -> ds[q] * (1 - f[q]) + ga[q] * uc[q] * f[q] + gf[q] * uf[q])
        let duc = map4 (\a g f s -> a + g * f * s) duc ga f s
        in (daf with [i] = gf, dac with [i] = ga, duc, ds)
    let duf = map2 (\g s -> f32.sum (map2 (*) g s)) (transpose daf) (transpose hist)
    in (daf, dac, duf, duc)
  let (daf, dac, duf, duc) = unzip4 (map3 one pf pc ys)
  let cols = transpose (flatten xs)
  let outer (g: [b][t][h]f32) : [h][k]f32 =
    map (\a -> map (\x -> f32.sum (map2 (*) a x)) cols) (transpose (flatten g))
  let step a g = map2 (\w d -> w - rate * d) a g
  in (map2 step wf (outer daf), map2 step wc (outer dac),
      step uf (map f32.sum (transpose duf)), step uc (map f32.sum (transpose duc)))
