entry main [n] (k: i64) (x: [n]f64) : [n]f64 =
  let s = scan (+) 0 x
  in map (\i -> (s[i] - (if i >= k then s[i-k] else 0)) / f64.i64 (i64.min k (i+1))) (iota n)
