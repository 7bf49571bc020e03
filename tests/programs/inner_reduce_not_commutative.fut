-- Every thread reduces with an associative operator on pairs that is not commutative: composition of affine functions.
-- ==
-- input { [[2, 3], [5, 7]] [[1, 1], [0, 2]] } output { [6, 35] [4, 2] }
-- compiled random input { [19][23]i32 [19][23]i32 } auto output

def compose (a: (i32, i32)) (b: (i32, i32)) : (i32, i32) = (a.0 * b.0, a.1 * b.0 + b.1)

entry main [n] [m] (xss: [n][m]i32) (yss: [n][m]i32) : ([n]i32, [n]i32) =
  unzip (#[sequential_inner] map2 (\xs ys -> reduce compose (1, 0) (zip xs ys)) xss yss)
