-- Batched least squares by Givens' rotations on the augmented matrix, back substitution, and the residual's norm.
def rotate_rows [m] [n] (a: *[m][n]f32) (i: i64) (k: i64) (from: i64) : *[m][n]f32 =
  let x = a[k, from]
  let y = a[i, from]
  let r = f32.sqrt (x * x + y * y)
  in if r < 1e-12 then a
     else let c = x / r
          let s = y / r
          in loop a for j in from..<n do
               let u = a[k, j]
               let v = a[i, j]
               let a[k, j] = c * u + s * v
               let a[i, j] = c * v - s * u
               in a

def lsq [m] [p] (x: [m][p]f32) (y: [m]f32) : ([p]f32, f32) =
  let aug = map2 (\row b -> row ++ [b]) x y :> [m][p + 1]f32
  let aug =
    loop a = copy aug for k < p do
      loop a for i in (k + 1)..<m do rotate_rows a i k k
  let beta =
    loop b = replicate p 0 for q < p do
      let i = p - 1 - q
      let s = loop s = aug[i, p] for j in (i + 1)..<p do s - aug[i, j] * b[j]
      in b with [i] = s / aug[i, i]
  let res = loop s = 0 for i in p..<m do s + aug[i, p] * aug[i, p]
  in (beta, f32.sqrt res)

entry main [b] [m] [p] (xs: [b][m][p]f32) (ys: [b][m]f32) : ([b][p]f32, [b]f32) =
  let shifted = map (\x -> tabulate_2d m p (\i j -> x[i, j] + (if i % p == j then 1 else 0))) xs
  in unzip (map2 lsq shifted ys)
