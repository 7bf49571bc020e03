-- A block: layer norm, attention of heads, projection, residual, feed forward.
def mm [n][m][k] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
def norm [n][d] (x: [n][d]f32) : [n][d]f32 = map (\r -> let m = f32.sum r/f32.i64 d let v = f32.sum (map (\q -> (q-m)*(q-m)) r)/f32.i64 d in map (\q -> (q-m)/f32.sqrt (v+1e-5)) r) x
entry main [n][d][f] (heads: i64) (x: [n][d]f32) (wq: [d][d]f32) (wk: [d][d]f32) (wv: [d][d]f32) (wo: [d][d]f32) (w1: [d][f]f32) (w2: [f][d]f32) : [n][d]f32 =
  let s = d / heads
  let y = norm x
  let (q, k, v) = (mm y wq, mm y wk, mm y wv)
  let split (a: [n][d]f32) = tabulate_3d heads n s (\h i j -> a[i, h*s+j])
  let o = map3 (\q k v ->
    let p = mm q (transpose k) |> map (map (/f32.sqrt (f32.i64 s)))
    let p = map (\r -> let m = f32.maximum r let e = map (\t -> f32.exp (t-m)) r let z = f32.sum e in map (/z) e) p
    in mm p v) (split q) (split k) (split v)
  let o = tabulate_2d n d (\i j -> o[i64.min (heads-1) (j/s), i, j%s])
  let x = map2 (map2 (+)) x (mm o wo)
  let g t = 0.5*t*(1+f32.tanh (0.7978846*(t+0.044715*t*t*t)))
  in map2 (map2 (+)) x (mm (map (map g) (mm (norm x) w1)) w2)
