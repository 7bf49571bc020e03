-- A reduction whose operator is associative and not commutative: products of 2x2 matrices.
-- ==
-- input { [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0]] } output { 3 2 2 1 }
-- input { empty([0][4]i32) } output { 1 0 0 1 }
-- compiled random input { [1023][4]i32 } auto output

def product (a: (i32, i32, i32, i32)) (b: (i32, i32, i32, i32)) : (i32, i32, i32, i32) =
  (a.0 * b.0 + a.1 * b.2, a.0 * b.1 + a.1 * b.3, a.2 * b.0 + a.3 * b.2, a.2 * b.1 + a.3 * b.3)

entry main [n] (ms: [n][4]i32) : (i32, i32, i32, i32) =
  reduce product (1, 0, 0, 1) (map (\m -> (m[0], m[1], m[2], m[3])) ms)
