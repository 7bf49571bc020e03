-- The gradient of softmax with cross entropy through a linear layer, by reverse mode.
def main [n][d][k] (x: [n][d]f32) (w: [k][d]f32) (y: [n]i32) : ([k][d]f32, f32) =
  let loss (w: [k][d]f32) =
    f32.sum (map2 (\r t ->
      let z = map (\wr -> f32.sum (map2 (*) wr r)) w
      let m = f32.maximum z
      in m + f32.log (f32.sum (map (\v -> f32.exp (v - m)) z)) - z[i64.i32 t % k]) x y) / f32.i64 n
  in (vjp loss w 1, loss w)
