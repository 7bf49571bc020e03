-- Romberg's quadrature of a family of integrands, one per pair of parameters, the tableau's row carried in a loop.
def integrand (a: f64) (b: f64) (x: f64) : f64 =
  f64.exp (-a * x * x) * f64.cos (b * x) + 1 / (1 + x * x)

def refine (f: f64 -> f64) (lo: f64) (h: f64) (k: i64) : f64 =
  f64.sum (map (\i -> f (lo + h * f64.i64 (2 * i + 1))) (iota (1 << (k - 1))))

def romberg (levels: i64) (f: f64 -> f64) (lo: f64) (hi: f64) : (f64, f64) =
  let first = 0.5 * (hi - lo) * (f lo + f hi)
  let init = replicate (levels + 1) 0 with [0] = first
  let (row, _, err) =
    loop (row, h, _) = (init, hi - lo, 0) for k in 1...levels do
      let h' = h / 2
      let t = 0.5 * row[0] + h' * refine f lo h' k
      let (new, _, last) =
        loop (new, p, cur) = (copy row, 4f64, t) for j < k do
          let old = new[j]
          let next = cur + (cur - old) / (p - 1)
          in (new with [j] = cur, p * 4, next)
      let before = row[k - 1]
      in (new with [k] = last, h', f64.abs (last - before))
  in (row[levels], err)

entry main [n] (levels: i64) (as: [n]f64) (bs: [n]f64) : ([n]f64, f64, f64) =
  let (vals, errs) = unzip (map2 (\a b -> romberg levels (integrand (1 + a) (3 * b)) 0 2) as bs)
  in (vals, f64.maximum errs, f64.sum vals / f64.i64 n)
