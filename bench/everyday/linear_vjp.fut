-- Least squares with a few parameters, fitted by steps of gradient descent.
def main [n] (xs: [n]f32) (ys: [n]f32) (steps: i64) : [4]f32 =
  let loss (p: [4]f32) = f32.sum (map2 (\x y -> let e = p[0] + x*(p[1] + x*(p[2] + x*p[3])) - y in e*e) xs ys) / f32.i64 n
  in loop p = replicate 4 0 for _i < steps do map2 (\a g -> a - 0.1*g) p (vjp loss p 1)
