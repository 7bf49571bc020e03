-- All eigenvalues of many symmetric tridiagonal matrices by bisection on Sturm's count.
def count [n] (d: [n]f64) (e: [n]f64) (x: f64) : i64 =
  let (c, _) = loop (c, q) = (0i64, 1f64) for i < n do
    let off = if i > 0 then e[i - 1] * e[i - 1] else 0
    let q = d[i] - x - off / q
    let q = if f64.abs q < 1e-12 then -1e-12 else q
    in (if q < 0 then c + 1 else c, q)
  in c

def radius [n] (d: [n]f64) (e: [n]f64) : f64 =
  let at i = f64.abs d[i] + f64.abs e[i] + (if i > 0 then f64.abs e[i - 1] else 0)
  in f64.maximum (map at (iota n))

entry main [b][n] (rounds: i32) (d: [b][n]f64) (e: [b][n]f64) : ([b][n]f64, [b]f64) =
  let per d e =
    let r = radius d e
    in map (\k ->
         let (lo, hi) = loop (lo, hi) = (-r, r) for _i < rounds do
           let mid = 0.5 * (lo + hi)
           in if count d e mid > k then (lo, mid) else (mid, hi)
         in 0.5 * (lo + hi)) (iota n)
  let ev = map2 per d e
  in (ev, map (\v -> f64.sum (map (\x -> x * x) v)) ev)
