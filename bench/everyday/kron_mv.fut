-- Kronecker product applied to many vectors without forming it: (A (x) B) vec(X) = A X B^T.
entry main [n][m][k] (a: [n][n]f32) (b: [m][m]f32) (xs: [k][n*m]f32) : [k][n*m]f32 =
  let apply (x: [n*m]f32) : [n*m]f32 =
    let x = unflatten x
    let t = map (\row -> map (\brow -> f32.sum (map2 (*) row brow)) b) x
    let u = map (\arow -> map (\col -> f32.sum (map2 (*) arow col)) (transpose t)) a
    in flatten u
  in map apply xs
