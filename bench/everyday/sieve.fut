entry main (n: i64) : i64 =
  let flags = loop f = replicate (n+1) true for k < i64.f64 (f64.sqrt (f64.i64 n)) - 1 do
    let p = k + 2
    in if f[p] then scatter f (map (\i -> (i+2)*p) (iota (n/p - 1))) (replicate (n/p - 1) false) else f
  in i64.sum (map i64.bool flags) - 2
