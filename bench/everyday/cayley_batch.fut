-- Cayley transforms of many small skew matrices, (I-A)^-1 (I+A), by elimination without pivots; how orthogonal they are.
def eye (i: i64) (j: i64) : f32 = if i == j then 1 else 0

def solve [m] (a: [m][m]f32) (b: [m][m]f32) : [m][m]f32 =
  let aug = map2 (\r s -> r ++ s :> [m + m]f32) a b
  let out = loop aug for k < m do
    let piv = aug[k, k]
    let row = map (/ piv) aug[k]
    in map2 (\i r -> if i == k then row else let f = r[k] in map2 (\x y -> x - f * y) r row) (iota m) aug
  in map (\r -> r[m:] :> [m]f32) out

entry main [n] [m] (scale: f32) (xs: [n][m][m]f32) : ([n][m][m]f32, [n]f32) =
  let one (x: [m][m]f32) =
    let skew i j = scale * (x[i, j] - x[j, i])
    let q = solve (tabulate_2d m m (\i j -> eye i j - skew i j)) (tabulate_2d m m (\i j -> eye i j + skew i j))
    let gram = tabulate_2d m m (\i j -> f32.sum (map2 (*) q[i] q[j]))
    let trace = f32.sum (tabulate m (\i -> gram[i, i]))
    in (q, trace)
  in unzip (map one xs)
