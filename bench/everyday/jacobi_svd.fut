-- Singular values of many 8x5 matrices by one-sided Jacobi rotations (f64), sorted, with the condition number.
def sweeps : i32 = 6

def rotate (a: *[5][8]f64) (p: i64) (q: i64) : *[5][8]f64 =
  let (app, aqq, apq) =
    loop (x, y, z) = (0, 0, 0) for i < 8 do
      (x + a[p, i] * a[p, i], y + a[q, i] * a[q, i], z + a[p, i] * a[q, i])
  in if f64.abs apq <= 1e-15 * f64.sqrt (app * aqq) then a
     else
       let tau = (aqq - app) / (2 * apq)
       let t = (if tau >= 0 then 1 else -1) / (f64.abs tau + f64.sqrt (1 + tau * tau))
       let c = 1 / f64.sqrt (1 + t * t)
       let s = c * t
       in loop a for i < 8 do
            let x = a[p, i]
            let y = a[q, i]
            let a[p, i] = c * x - s * y
            let a[q, i] = s * x + c * y
            in a

def sort_desc (xs: *[5]f64) : *[5]f64 =
  loop xs for i in 1..<5 do
    let x = xs[i]
    let (xs, j) =
      loop (xs, j) = (xs, i) while j > 0 && xs[j - 1] < x do
        let y = xs[j - 1]
        in (xs with [j] = y, j - 1)
    in xs with [j] = x

def main [n] (as: [n][8][5]f64) : ([n][5]f64, f64) =
  let svs =
    map (\a ->
           let cols = copy (transpose a)
           let cols =
             loop cols for _s < sweeps do
               loop cols for p < 4 do
                 loop cols for q in p + 1..<5 do rotate cols p q
           in sort_desc (map (\c -> f64.sqrt (f64.sum (map (\x -> x * x) c))) cols))
        as
  in (svs, f64.sum (map (\s -> f64.min 1e6 (s[0] / f64.max 1e-12 s[4])) svs) / f64.i64 n)
