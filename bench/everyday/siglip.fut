-- Pairwise sigmoid contrastive loss (SigLIP) with hand-written gradients of both embeddings, temperature and bias.
def normalise [d] (x: [d]f32) : [d]f32 =
  let s = 1 / f32.sqrt (f32.sum (map (\a -> a * a) x) + 1e-6)
  in map (* s) x

def matmul [n][m][p] (a: [n][p]f32) (b: [p][m]f32) : [n][m]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

entry main [n][d] (t: f32) (b: f32) (img: [n][d]f32) (txt: [n][d]f32) : (f32, [n][d]f32, [n][d]f32, f32, f32) =
  let x = map (\r -> normalise (map (\e -> e - 0.5) r)) img
  let y = map (\r -> normalise (map (\e -> e - 0.5) r)) txt
  let sim = matmul x (transpose y)
  let label i j : f32 = if i == j then 1 else -1
  let softplus (z: f32) = f32.max z 0 + f32.log (1 + f32.exp (-(f32.abs z)))
  let losses = tabulate_2d n n (\i j -> softplus (-(label i j) * (t * sim[i, j] + b)))
  let dz = tabulate_2d n n (\i j ->
             let l = label i j
             in -l / (1 + f32.exp (l * (t * sim[i, j] + b))) / f32.i64 n)
  let gx = map (map (* t)) (matmul dz y)
  let gy = map (map (* t)) (matmul (transpose dz) x)
  let gt = f32.sum (flatten (map2 (map2 (*)) dz sim))
  let gb = f32.sum (map f32.sum dz)
  in (f32.sum (map f32.sum losses) / f32.i64 n, gx, gy, gt, gb)
