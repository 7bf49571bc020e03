-- Attention of several heads.
def matmul [n][m][k] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
entry main [heads][n][d] (q: [heads][n][d]f32) (k: [heads][n][d]f32) (v: [heads][n][d]f32) : [heads][n][d]f32 =
  map3 (\q k v ->
    let s = map (map (/ f32.sqrt (f32.i64 d))) (matmul q (transpose k))
    let p = map (\r -> let m = f32.maximum r let e = map (\x -> f32.exp (x-m)) r let z = f32.sum e in map (/z) e) s
    in matmul p v) q k v
