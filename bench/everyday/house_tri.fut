-- A symmetric matrix brought to tridiagonal form by Householder's reflections, one column a step.
def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

entry main [n] (a: [n][n]f64) : ([n]f64, [n]f64) =
  let sym = tabulate_2d n n (\i j -> a[i, j] + a[j, i] - 1)
  let a = loop a = sym for k < n - 2 do
    let col = map2 (\i v -> if i > k then v else 0) (iota n) a[k]
    let norm = f64.sqrt (dot col col)
    let head = col[k + 1]
    let alpha = if head > 0 then -norm else norm
    let v = map2 (\i c -> if i == k + 1 then c - alpha else c) (iota n) col
    let vv = dot v v
    let beta = if vv > 1e-30 then 2 / vv else 0
    let p = map (\r -> beta * dot r v) a
    let h = 0.5 * beta * dot p v
    let w = map2 (\p v -> p - h * v) p v
    in map3 (\row vi wi -> map3 (\x vj wj -> x - vi * wj - wi * vj) row v w) a v w
  let diag = tabulate n (\i -> a[i, i])
  let off = tabulate n (\i -> if i + 1 < n then f64.abs a[i, i + 1] else 0)
  in (diag, off)
