-- One half of alternating least squares: each user's factors from the items rated, by normal equations and a Cholesky solution.
def cholesky_solve [d] (a: *[d][d]f32) (b: *[d]f32) : *[d]f32 =
  let l = loop a for j < d do
    let s = loop s = a[j, j] for k < j do s - a[j, k] * a[j, k]
    let p = f32.sqrt s
    let a[j, j] = p
    in loop a for i in j + 1..<d do
         let s = loop s = a[i, j] for k < j do s - a[i, k] * a[j, k]
         in a with [i, j] = s / p
  let y = loop y = b for i < d do
    let s = loop s = y[i] for k < i do s - l[i, k] * y[k]
    in y with [i] = s / l[i, i]
  in loop x = y for ii < d do
       let i = d - 1 - ii
       let s = loop s = x[i] for k in i + 1..<d do s - l[k, i] * x[k]
       in x with [i] = s / l[i, i]

entry main [u] [k] [m] [d] (lambda: f32) (items: [u][k]i32) (ratings: [u][k]f32) (v: [m][d]f32) : ([u][d]f32, f32) =
  let solve (js: [k]i64) (rs: [k]f32) : [d]f32 =
    let gram = tabulate_2d d d (\p q ->
      (loop s = 0 for j in js do s + v[j, p] * v[j, q]) + (if p == q then lambda * f32.i64 k else 0))
    let rhs = tabulate d (\p -> loop s = 0 for t < k do s + rs[t] * v[js[t], p])
    in cholesky_solve gram rhs
  let idx = map (map (\x -> i64.i32 (x & 0x7fffffff) % m)) items
  let x = map2 solve idx ratings
  let err = map3 (\xi js rs -> f32.sum (map2 (\j r -> let e = r - f32.sum (map2 (*) xi v[j]) in e * e) js rs)) x idx ratings
  in (x, f32.sqrt (f32.sum err / f32.i64 (u * k)))
