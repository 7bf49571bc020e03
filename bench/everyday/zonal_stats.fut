-- Climate statistics over the middle dimension of a 3D field: mean, deviation, extremes, index of the maximum, eddy covariance.
type st = {s: f32, q: f32, lo: f32, hi: f32, at: i32, n: f32}

def merge (a: st) (b: st) : st =
  { s = a.s + b.s, q = a.q + b.q, n = a.n + b.n, lo = f32.min a.lo b.lo, hi = f32.max a.hi b.hi
  , at = if a.hi > b.hi || (a.hi == b.hi && a.at < b.at) then a.at else b.at }

def zero : st = {s = 0, q = 0, lo = f32.highest, hi = f32.lowest, at = i32.highest, n = 0}

def main [t][m][l] (missing: f32) (u: [t][m][l]f32) (v: [t][m][l]f32)
  : ([t][l]f32, [t][l]f32, [t][l]f32, [t][l]i32, [t][l]f32) =
  let one (j: i64) (x: f32) : st =
    if x < missing then zero
    else let d = x - 0.5 in {s = d, q = d * d, lo = x, hi = x, at = i32.i64 j, n = 1}
  let column (us: [m]f32) (vs: [m]f32) =
    let r = reduce merge zero (map2 one (iota m) us)
    let k = f32.max 1 r.n
    let mean = r.s / k
    let vm = f32.sum (map (\x -> x - 0.5) vs) / f32.i64 (i64.max 1 m)
    let eddy = f32.sum (map2 (\a b -> if a < missing then 0 else (a - 0.5 - mean) * (b - 0.5 - vm)) us vs) / k
    in (mean + 0.5, f32.sqrt (f32.max 0 (r.q / k - mean * mean)), if r.n > 0 then r.hi - r.lo else 0, r.at, eddy)
  let plane a b = unzip5 (map2 column (transpose a) (transpose b))
  in unzip5 (map2 plane u v)
