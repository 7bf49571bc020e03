-- Functions over any sizes, used at several, and sizes computed from sizes.
-- ==
-- input { [1, 2, 3] [4, 5] } output { [[4, 5], [8, 10], [12, 15]] [1, 2, 2, 3, 3, 4] [4, 4, 5, 5] [-1, -1, -1, -1] }
-- input { empty([0]i32) [4] } output { empty([0][1]i32) empty([0]i32) [4, 4] empty([0]i32) }

def outer [n] [m] (xs: [n]i32) (ys: [m]i32) : [n][m]i32 = map (\x -> map (* x) ys) xs

def interleave [n] 'a (xs: [n]a) (ys: [n]a) : [n * 2]a = flatten (map2 (\x y -> [x, y]) xs ys)

def pairwise [n] (f: i32 -> i32 -> i32) (xs: [n]i32) : []i32 = tabulate (i64.max 0 (n - 1)) (\i -> f xs[i] xs[i + 1])

entry main [n] [m] (xs: [n]i32) (ys: [m]i32) : ([n][m]i32, []i32, []i32, []i32) =
  (outer xs ys, interleave xs (map (+ 1) xs), interleave ys ys, pairwise (-) (xs ++ ys))
