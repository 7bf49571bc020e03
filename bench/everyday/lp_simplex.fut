-- Dense tableau simplex (largest coefficient rule) for a packing problem: max c.x with A x <= b, x >= 0.
def argbest [n] (better: f64 -> f64 -> bool) (worst: f64) (xs: [n]f64) : (f64, i64) =
  reduce (\(a, i) (b, j) ->
            if better a b || (a == b && i < j) then (a, i) else (b, j))
         (worst, i64.highest) (zip xs (iota n))

def main [m] [n] (limit: i32) (a: [m][n]f64) (b: [m]f64) (c: [n]f64) : (f64, i32, [n]f64) =
  let rows = m + 1
  let cols = n + m + 1
  let tab0 =
    tabulate_2d rows cols (\i j ->
      if i == m then (if j < n then -(0.5 + c[j]) else 0)
      else if j < n then 0.1 + a[i, j]
      else if j < n + m then f64.bool (j - n == i)
      else 1 + b[i])
  let (tab, basis, iters, _) =
    loop (tab, basis, it, go) = (tab0, tabulate m (+ n), 0i32, true) while go && it < limit do
      let (least, enter) = argbest (<) f64.inf (take (cols - 1) tab[m])
      in if least > -1e-9 then (tab, basis, it, false)
         else
           let ratios =
             map (\r -> if r[enter] > 1e-9 then r[cols - 1] / r[enter] else f64.highest) (take m tab)
           let (ratio, leave) = argbest (<) f64.inf ratios
           in if ratio >= f64.highest then (tab, basis, it, false)
              else
                let p = tab[leave, enter]
                let prow = map (/ p) tab[leave]
                let tab =
                  map2 (\i r ->
                          if i == leave then prow
                          else let f = r[enter] in map2 (\x y -> x - f * y) r prow)
                       (iota rows) tab
                in (tab, basis with [leave] = enter, it + 1, true)
  let x = scatter (replicate n 0) (map (\v -> if v < n then v else -1) basis) (map (\r -> r[cols - 1]) (take m tab))
  in (tab[m, cols - 1], iters, x)
