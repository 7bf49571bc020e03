-- Householder's QR of a tall matrix, one reflection after the other.
def main [m][n] (a: [m][n]f32) : [m][n]f32 =
  loop a for k < i64.min (m-1) n do
    let x = map (\i -> if i < k then 0 else a[i,k]) (iota m)
    let norm = f32.sqrt (f32.sum (map (\v -> v*v) x))
    let alpha = if a[k,k] > 0 then -norm else norm
    let v = map2 (\i x -> if i == k then x - alpha else x) (iota m) x
    let vv = f32.sum (map (\v -> v*v) v) + 1e-20
    let ws = map (\j -> 2 / vv * f32.sum (map (\i -> v[i] * a[i,j]) (iota m))) (iota n)
    in map2 (\r vi -> map2 (\x w -> x - vi * w) r ws) a v
