-- Polynomials: many points of one by Horner, and a product.
def main [n][m] (c: [m]f32) (xs: [n]f32) (d: [m]f32) : ([n]f32, [2*m]f32) =
  (map (\x -> foldl (\acc a -> acc * x + a) 0 c) xs,
   map (\k -> f32.sum (map (\i -> let j = k - i in if j >= 0 && j < m then c[i] * d[j] else 0) (iota m))) (iota (2*m)))
