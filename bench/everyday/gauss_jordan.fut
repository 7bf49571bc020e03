-- Inverses of many small matrices by Gauss and Jordan, without pivots.
def inverse [n] (a: [n][n]f32) : [n][n]f32 =
  let m = tabulate_2d n (2*n) (\i j -> if j < n then a[i,j] + (if i == j then f32.i64 n else 0) else if j - n == i then 1 else 0)
  let m = loop m for k < n do
    let p = m[k,k]
    let row = map (/ p) m[k]
    in map2 (\i r -> if i == k then row else let f = r[k] in map2 (\x y -> x - f*y) r row) (iota n) m
  in map (\r -> r[n:] :> [n]f32) m
def main [b][n] (as: [b][n][n]f32) : [b][n][n]f32 = map inverse as
