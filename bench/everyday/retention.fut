-- Multi-scale retention (RetNet), parallel form: rotated queries and keys, decay mask per head, group normalisation, swish gate.
def rot [d] (sign: f32) (pos: i64) (x: [d]f32) : [d]f32 =
  tabulate d (\i ->
    let th = f32.i64 pos * 10000 ** (-(f32.i64 (i / 2) * 2 / f32.i64 d))
    let p = if i % 2 == 0 then (if i + 1 < d then -x[i+1] else 0) else x[i-1]
    in x[i] * f32.cos th + sign * p * f32.sin th)

entry main [hd][l][d] (q: [hd][l][d]f32) (k: [hd][l][d]f32) (v: [hd][l][d]f32) (g: [hd][l][d]f32) : [l][hd][d]f32 =
  let head (h: i64) (q: [l][d]f32) (k: [l][d]f32) (v: [l][d]f32) (g: [l][d]f32) =
    let ldecay = f32.log (1 - 2 ** (-5 - f32.i64 (h % 8)))
    let qr = map2 (rot 1) (iota l) (map (map (\x -> x - 0.5)) q)
    let kr = map2 (rot 1) (iota l) (map (map (\x -> x - 0.5)) k)
    let s = tabulate_2d l l (\i j ->
      if j > i then 0
      else f32.exp (ldecay * f32.i64 (i - j)) * f32.sum (map2 (*) qr[i] kr[j]) / f32.sqrt (f32.i64 d))
    let o = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose v)) s
    let norm (x: [d]f32) =
      let m = f32.sum x / f32.i64 d
      let var = f32.sum (map (\a -> (a - m) ** 2) x) / f32.i64 d
      in map (\a -> (a - m) / f32.sqrt (var + 1e-3)) x
    in map2 (\r gr -> map2 (\a b -> let t = 4 * b - 2 in a * t / (1 + f32.exp (-t))) (norm r) gr) o g
  in transpose (map5 head (iota hd) q k v g)
