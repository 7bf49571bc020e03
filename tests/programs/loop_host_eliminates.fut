-- Matrices that loops eliminate in place: parts are computed from themselves and from a row, a column or an element outside of them, or inside.
-- ==
-- entry: cholesky eliminated orthogonal mixed
-- input { [[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.5, 2.0, 6.0]] } auto output
-- input { [[2.0]] } auto output
-- input { empty([0][0]f64) } auto output
-- input { [[9.0, 1.0, 0.5, 0.25, 2.0], [1.0, 8.0, 2.0, 1.5, 0.5], [0.5, 2.0, 7.0, 1.0, 1.0], [0.25, 1.5, 1.0, 9.0, 3.0], [2.0, 0.5, 1.0, 3.0, 8.0]] }
-- auto output

entry cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = copy a for j < n do
    let d = f64.sqrt l[j, j]
    let column = map (/ d) l[j + 1:, j]
    let l[j, j] = d
    let l[j + 1:, j] = column
    let l[j + 1:, j + 1:] = map2 (\row x -> map2 (\v y -> v - x * y) row column) l[j + 1:, j + 1:] column
    in l

entry eliminated [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = copy a for k < n do
    let f = map (/ a[k, k]) a[k + 1:, k]
    let pivot = copy a[k]
    let a[k + 1:, k + 1:] = map2 (\row x -> map2 (\v y -> v - x * y) row pivot[k + 1:]) a[k + 1:, k + 1:] f
    let a[k + 1:, k] = f
    in a

entry orthogonal [n] (a: [n][n]f64) : ([n][n]f64, [n][n]f64) =
  loop (q, r) = (copy a, replicate n (replicate n 0)) for j < n do
    let norm = f64.sqrt (f64.sum (map (\x -> x * x) q[:, j]))
    let r[j, j] = norm
    let qj = map (/ norm) q[:, j]
    let q[:, j] = qj
    let products = map (\column -> f64.sum (map2 (*) qj column)) (transpose q[:, j + 1:])
    let r[j, j + 1:] = products
    let q[:, j + 1:] = map2 (\row x -> map2 (\v p -> v - x * p) row products) q[:, j + 1:] qj
    in (q, r)

-- Rows of the part itself, in reverse order and of its middle; and steps that go up.
entry mixed [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = copy a for k < n do
    let m = n - 1 - k
    let a[:m, :] = map2 (map2 (\x y -> 0.5 * x + 0.25 * y)) a[:m, :] (reverse a[:m, :])
    let a[m:, :] = map (map (\x -> x + a[m, m])) a[m:, :]
    let a[:m, k:] = map (\row -> map2 (-) row a[m, k:]) a[:m, k:]
    in a
