-- Matrix products and reductions inside maps: incremental flattening makes many versions.
entry main [n][m][k] (a: [n][m]f32) (b: [m][k]f32) : [n][k]f32 =
  map (\row -> map (\col -> f32.sum (map2 (*) row col)) (transpose b)) a

entry sums [n][m] (a: [n][m]i64) : ([n]i64, i64) =
  let rows = map (reduce (+) 0) a in (rows, reduce i64.max i64.lowest rows)

entry dots [n][m] (a: [n][m]i32) (b: [n][m]i32) : [n]i32 =
  map2 (\x y -> i32.sum (map2 (*) x y)) a b
