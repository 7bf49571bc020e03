-- Sums of arrays of which each point computes its own, element by element: products of matrices, though nobody says so.

-- ==
-- entry: weights both rows
-- compiled random input { [0][5]i32 [0][7]i32 } auto output
-- compiled random input { [1][1]i32 [1][1]i32 } auto output
-- compiled random input { [37][5]i32 [37][9]i32 } auto output
-- compiled random input { [700][300]i32 [700][257]i32 } auto output

def outer [m][k] (a: [m]i32) (b: [k]i32) = map (\x -> map (* x) b) a
def total [n][a][b] (g: [n][a][b]i32) = reduce (map2 (map2 (+))) (replicate a (replicate b 0)) g

entry weights [n][c][r] (a: [n][r]i32) (b: [n][c]i32) : [r][c]i32 = total (map2 outer a b)

-- Of two shapes at once, with bits that are no products.
entry both [n][c][r] (a: [n][r]i32) (b: [n][c]i32) : ([r][c]i32, [c][r]i32) =
  let (g, h) = unzip (map2 (\x y -> (outer x y, map (\v -> map (\u -> i32.max u v) x) y)) a b)
  in (total g, total h)

entry rows [n][c][r] (a: [n][r]i32) (b: [n][c]i32) : ([r]i32, [c]i32) =
  let (g, h) = unzip (map2 (\x y -> (map (+ 1) x, map (* 2) y)) a b)
  in (reduce (map2 (+)) (replicate r 0) g, reduce (map2 (+)) (replicate c 0) h)
