entry main [n][m] (a: [n][m]i32) : ([n][m]i32, [n]i32) =
  (map (scan (+) 0) a, scan i32.max i32.lowest (map (\r -> if m > 0 then r[m-1] else 0) a))

-- An operator on pairs that is not commutative.
entry linear [n] (a: [n]i32) (b: [n]i32) : ([n]i32, [n]i32) =
  unzip (scan (\(a1, b1) (a2, b2) -> (a1 * a2, a2 * b1 + b2)) (1, 0) (zip a b))

-- An operator on arrays.
entry vectors [n][m] (a: [n][m]i64) : ([m]i64, [n][m]i64) =
  (reduce (map2 (+)) (replicate m 0) a, scan (map2 i64.max) (replicate m i64.lowest) a)

entry keep [n] (xs: [n]i32) : []i32 = filter (\x -> x % 3 != 0) xs
