-- Many small symmetric systems by the square-root-free factorisation, with the logarithm of the determinant.
def outer_plus [k] (eps: f32) (b: [k][k]f32) : [k][k]f32 =
  map (\i -> map (\j -> f32.sum (map2 (*) b[i] b[j]) + (if i == j then eps else 0)) (iota k)) (iota k)

def factor [k] (a: *[k][k]f32) : *[k][k]f32 =
  loop a for j < k do
    let d = loop s = a[j, j] for p < j do s - a[j, p] * a[j, p] * a[p, p]
    let a[j, j] = d
    in loop a for i in j + 1..<k do
         let s = loop s = a[i, j] for p < j do s - a[i, p] * a[j, p] * a[p, p]
         let a[i, j] = s / d
         in a

def solve [k] (l: [k][k]f32) (b: [k]f32) : [k]f32 =
  let y = loop y = copy b for i < k do
    let y[i] = loop s = y[i] for p < i do s - l[i, p] * y[p]
    in y
  let y = map2 (\v i -> v / l[i, i]) y (iota k)
  in loop y = copy y for q < k do
       let i = k - 1 - q
       let y[i] = loop s = y[i] for p in i + 1..<k do s - l[p, i] * y[p]
       in y

entry main [n][k] (m: [n][k][k]f32) (b: [n][k]f32) : ([n][k]f32, [n]f32) =
  unzip (map2 (\m b ->
    let l = factor (copy (outer_plus 1 m))
    in (solve l b, f32.sum (map (\i -> f32.log l[i, i]) (iota k)))) m b)
