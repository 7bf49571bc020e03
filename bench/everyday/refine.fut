-- Mixed-precision iterative refinement: LU factors in f32, residuals in f64, for a batch of small systems.
def lu [n] (a: [n][n]f32) : *[n][n]f32 =
  loop a = copy a for k < n do
    let pivot = a[k, k]
    let row = copy a[k]
    in loop a for i in k + 1..<n do
         let l = a[i, k] / pivot
         in loop a = a with [i, k] = l for j in k + 1..<n do
              a with [i, j] = a[i, j] - l * row[j]

def backsolve [n] (f: [n][n]f32) (b: [n]f32) : [n]f32 =
  let y = loop y = copy b for i < n do
            y with [i] = (loop s = y[i] for j < i do s - f[i, j] * y[j])
  in loop x = y for r < n do
       let i = n - 1 - r
       in x with [i] = (loop s = x[i] for j in i + 1..<n do s - f[i, j] * x[j]) / f[i, i]

entry main [m][n] (rounds: i64) (as: [m][n][n]f32) (bs: [m][n]f32) : ([m][n]f64, [m]f64) =
  let one a0 b =
    let a = tabulate_2d n n (\i j -> if i == j then a0[i, j] + f32.i64 n else a0[i, j])
    let f = lu a
    let residual (x: [n]f64) = map2 (\row bi -> f64.f32 bi - f64.sum (map2 (\p q -> f64.f32 p * q) row x)) a b
    let x = loop x = map f64.f32 (backsolve f b) for _r < rounds do
              map2 (\xi d -> xi + f64.f32 d) x (backsolve f (map f32.f64 (residual x)))
    in (x, f64.sum x)
  in unzip (map2 one as bs)
