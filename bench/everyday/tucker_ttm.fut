-- Tucker compression of a 3-way tensor: three mode products with factor matrices, and the norm of what is lost.
def dot [n] (a: [n]f32) (b: [n]f32) : f32 = f32.sum (map2 (*) a b)

def matmul [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (dot r) (transpose b)) a

-- modified Gram-Schmidt over the columns of a random matrix
def orthonormal [n] [k] (a: [n][k]f32) : [k][n]f32 =
  let v0 = map (map (\x -> x - 0.5)) (transpose a)
  in loop v = copy v0 for j < k do
       let norm = f32.sqrt (dot v[j] v[j])
       let q = map (/ f32.max 1e-6 norm) v[j]
       in tabulate k (\i ->
                        if i < j then v[i]
                        else if i == j then q
                        else let c = dot q v[i] in map2 (\x y -> x - c * y) v[i] q)

def main [a] [b] [c] [p] [q] [r] (x: [a][b][c]f32) (ua: [a][p]f32) (ub: [b][q]f32) (uc: [c][r]f32)
    : ([p][q][r]f32, f64) =
  let qa = orthonormal ua
  let qb = orthonormal ub
  let qc = orthonormal uc
  -- mode 3, mode 2, mode 1
  let y3 : [a][b][r]f32 = unflatten (matmul (flatten x) (transpose qc))
  let y2 : [a][q][r]f32 = map (\s -> matmul qb s) y3
  let y1 : [p][q][r]f32 = map unflatten (matmul qa (map flatten y2))
  let sq t = f64.sum (map (\v -> f64.f32 v * f64.f32 v) t)
  let total = sq (flatten_3d x)
  let kept = sq (flatten_3d y1)
  in (y1, (total - kept) / total)
