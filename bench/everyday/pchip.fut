-- Monotone cubic interpolation through unevenly spaced knots, at many points, with derivatives.
def find [n] (xs: [n]f64) (x: f64) : i64 =
  let (lo, _) = loop (lo, hi) = (0, n - 1) while hi - lo > 1 do
    let mid = (lo + hi) / 2
    in if x >= xs[mid] then (mid, hi) else (lo, mid)
  in lo

def slopes [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let h i = xs[i + 1] - xs[i]
  let del i = (ys[i + 1] - ys[i]) / h i
  let inner i =
    let (a, b) = (del (i - 1), del i)
    let (w1, w2) = (2 * h i + h (i - 1), h i + 2 * h (i - 1))
    in if a * b > 0 then (w1 + w2) / (w1 / a + w2 / b) else 0
  in tabulate n (\i -> if i == 0 then del 0 else if i == n - 1 then del (n - 2) else inner i)

entry main [n][q] (gaps: [n]f64) (ys: [n]f64) (at: [q]f64) : ([q]f64, [q]f64) =
  let xs = scan (+) 0 (map (+ 0.1) gaps)
  let m = slopes xs ys
  let span = xs[n - 1] - xs[0]
  let eval u =
    let x = xs[0] + u * span
    let i = find xs x
    let h = xs[i + 1] - xs[i]
    let t = (x - xs[i]) / h
    let (p, q) = (ys[i], ys[i + 1])
    let (c, d) = (h * m[i], h * m[i + 1])
    let a2 = 3 * (q - p) - 2 * c - d
    let a3 = 2 * (p - q) + c + d
    in (p + t * (c + t * (a2 + t * a3)), (c + t * (2 * a2 + 3 * t * a3)) / h)
  in unzip (map eval at)
