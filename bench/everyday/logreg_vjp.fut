-- Gradient of logistic regression by reverse mode.
def main [n][d] (x: [n][d]f32) (y: [n]i32) (w: [d]f32) (b: f32) : ([d]f32, f32) =
  let loss (w, b) = f32.sum (map2 (\r t -> let z = b + f32.sum (map2 (*) r w) in f32.log (1 + f32.exp (if t % 2 == 0 then -z else z))) x y) / f32.i64 n
  in vjp loss (w, b) 1
