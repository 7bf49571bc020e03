-- Ridge regression: normal equations, then Gauss and Jordan.
entry main [n][d] (lambda: f64) (x: [n][d]f64) (y: [n]f64) : [d]f64 =
  let xt = transpose x
  let a = tabulate_2d d d (\i j -> f64.sum (map2 (*) xt[i] xt[j]) + (if i == j then lambda else 0))
  let b = map (\c -> f64.sum (map2 (*) c y)) xt
  let (_, b) = loop (a, b) for k < d do
    let p = a[k] let q = b[k]
    let f = map (\r -> r[k]/p[k]) a
    in (map3 (\i r f -> if i == k then map (/p[k]) r else map2 (\u v -> u - f*v) r p) (iota d) a f,
        map3 (\i v f -> if i == k then q/p[k] else v - f*q) (iota d) b f)
  in b
