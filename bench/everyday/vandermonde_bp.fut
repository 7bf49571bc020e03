-- Bjoerck-Pereyra: solves many Vandermonde systems (interpolating polynomials), f64; checks them at a point.
def solve [k] (x: [k]f64) (f: [k]f64) : [k]f64 =
  let a =
    loop a = copy f for j < k - 1 do
      loop a for t < k - 1 - j do
        let i = k - 1 - t
        in a with [i] = (a[i] - a[i - 1]) / (x[i] - x[i - j - 1])
  in loop a for t < k - 1 do
       let j = k - 2 - t
       in loop a for i in j..<k - 1 do
            a with [i] = a[i] - a[i + 1] * x[j]

def horner [k] (c: [k]f64) (x: f64) : f64 =
  loop s = 0 for i < k do s * x + c[k - 1 - i]

def main [n] [k] (jitter: [n][k]f64) (values: [n][k]f64) : ([k][n]f64, f64) =
  -- nodes: jittered Chebyshev points, all different
  let nodes =
    map (\js -> map2 (\i u -> f64.cos (f64.pi * (f64.i64 i + 0.3 + 0.4 * u) / f64.i64 k)) (iota k) js) jitter
  let coefs = map2 solve nodes values
  let resid =
    map3 (\c xs fs -> reduce f64.max 0 (map2 (\x f -> f64.abs (horner c x - f)) xs fs)) coefs nodes values
  in (transpose coefs, if reduce f64.max 0 resid < 1e-6 then 1 else 0)
