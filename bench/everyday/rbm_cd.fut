-- Restricted Boltzmann machine: some steps of contrastive divergence with mean fields, on binary data.
def sigmoid (x: f32) : f32 = 1 / (1 + f32.exp (-x))

def matmul [n] [k] [m] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\row -> map (\col -> f32.sum (map2 (*) row col)) (transpose b)) a

def with_bias [n] [m] (b: [m]f32) (x: [n][m]f32) : [n][m]f32 =
  map (\row -> map2 (\v c -> sigmoid (v + c)) row b) x

def col_mean [n] [m] (x: [n][m]f32) : [m]f32 =
  map (\c -> f32.sum c / f32.i64 n) (transpose x)

entry main [n] [d] [h] (steps: i32) (rate: f32) (data: [n][d]bool) (w0: [d][h]f32) : ([d][h]f32, [d]f32, [h]f32, f32) =
  let v0 = map (map f32.bool) data
  let w0 = map (map (\x -> 0.2 * (x - 0.5))) w0
  let step (w, a, b, _) =
    let h0 = with_bias b (matmul v0 w)
    let v1 = with_bias a (matmul h0 (transpose w))
    let h1 = with_bias b (matmul v1 w)
    let pos = matmul (transpose v0) h0
    let neg = matmul (transpose v1) h1
    let w' = map3 (map3 (\x p q -> x + rate * (p - q) / f32.i64 n)) w pos neg
    let a' = map3 (\x p q -> x + rate * (p - q)) a (col_mean v0) (col_mean v1)
    let b' = map3 (\x p q -> x + rate * (p - q)) b (col_mean h0) (col_mean h1)
    let err = f32.sum (map2 (\r s -> f32.sum (map2 (\x y -> (x - y) * (x - y)) r s)) v0 v1) / f32.i64 (n * d)
    in (w', a', b', err)
  in iterate steps step (w0, replicate d 0, replicate h 0, 0)
