-- PolyBench/C kernels.

def dot64 [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
def dot32 [n] (a: [n]f32) (b: [n]f32) : f32 = f32.sum (map2 (*) a b)
def matvec64 [m][n] (A: [m][n]f64) (x: [n]f64) : [m]f64 = map (dot64 x) A

-- A += u1 v1' + u2 v2'; x = x + beta A' y + z; w = alpha A x
entry gemver [n] (alpha: f64) (beta: f64) (A: [n][n]f64)
                 (u1: [n]f64) (v1: [n]f64) (u2: [n]f64) (v2: [n]f64)
                 (y: [n]f64) (z: [n]f64) : ([n][n]f64, [n]f64, [n]f64) =
  let A' = map3 (\row a b -> map3 (\r c d -> r + a * c + b * d) row v1 v2) A u1 u2
  let x = map2 (\col zj -> beta * dot64 col y + zj) (transpose A') z
  let w = map (\row -> alpha * dot64 row x) A'
  in (A', x, w)

entry gesummv [n] (alpha: f32) (beta: f32) (A: [n][n]f32) (B: [n][n]f32) (x: [n]f32) : [n]f32 =
  let tmp = map (\row -> dot32 row x) A
  let y = map (\row -> dot32 row x) B
  in map2 (\t b -> alpha * t + beta * b) tmp y

-- A'(Ax) as the gradient of |Ax|^2/2, and the value itself.
entry atax_grad [m][n] (A: [m][n]f64) (x: [n]f64) : (f64, [n]f64) =
  let half_norm (x: [n]f64) = 0.5 * f64.sum (map (\t -> t * t) (matvec64 A x))
  in (half_norm x, vjp half_norm x 1.0)

-- sum[r,q,p] = A[r,q,:] * C4[:,p]
entry doitgen [nr][nq][np] (A: [nr][nq][np]f32) (C4: [np][np]f32) : [nr][nq][np]f32 =
  map (map (\row -> map (\col -> dot32 row col) (transpose C4))) A

-- Only the lower triangle of C is updated.
entry syr2k [n][m] (alpha: f64) (beta: f64) (C: [n][n]f64) (A: [n][m]f64) (B: [n][m]f64) : [n][n]f64 =
  let cell i j =
    beta * C[i, j]
    + alpha * f64.sum (map4 (\ai bj bi aj -> aj * bi + bj * ai) A[i] B[j] B[i] A[j])
  in tabulate_2d n n (\i j -> if j <= i then cell i j else C[i, j])

-- C = alpha A B + beta C with A symmetric, stored in its lower triangle.
entry symm [m][n] (alpha: f32) (beta: f32) (C: [m][n]f32) (A: [m][m]f32) (B: [m][n]f32) : [m][n]f32 =
  let full = tabulate_2d m m (\i k -> if k <= i then A[i, k] else A[k, i])
  let AB = map (\row -> map (\col -> dot32 row col) (transpose B)) full
  in map2 (map2 (\c ab -> beta * c + alpha * ab)) C AB

-- B = alpha A' B with A unit lower triangular.
entry trmm [m][n] (alpha: f64) (A: [m][m]f64) (B: [m][n]f64) : [m][n]f64 =
  tabulate_2d m n (\i j ->
    let s = loop s = B[i, j] for k in i + 1..<m do s + A[k, i] * B[k, j]
    in alpha * s)

entry correlation [n][m] (data: [n][m]f32) : ([m]f32, [m]f32, [m][m]f32) =
  let fn = f32.i64 n
  let cols = transpose data
  let mean = map (\c -> f32.sum c / fn) cols
  let stddev =
    map2 (\c mu ->
            let s = f32.sqrt (f32.sum (map (\v -> (v - mu) * (v - mu)) c) / fn)
            in if s <= 0.001 then 1 else s) cols mean
  let norm =
    map3 (\c mu sd -> map (\v -> (v - mu) / (f32.sqrt fn * sd)) c) cols mean stddev
  let corr =
    tabulate_2d m m (\i j -> if i == j then 1 else dot32 norm[i] norm[j])
  in (mean, stddev, corr)

-- Yule-Walker equations; the growing vector y is kept in place.
entry durbin [n] (scale: f64) (r: [n]f64) : [n]f64 =
  let r = map (* scale) r
  let y0 = replicate n 0 with [0] = -r[0]
  let (y, _, _) =
    loop (y, alpha, beta) = (y0, -r[0], 1.0) for k in 1..<n do
      let beta = (1 - alpha * alpha) * beta
      let s = f64.sum (map (\i -> if i < k then r[k - i - 1] * y[i] else 0) (iota n))
      let alpha = -(r[k] + s) / beta
      let y' = map (\i -> if i < k then y[i] + alpha * y[k - i - 1]
                          else if i == k then alpha
                          else 0) (iota n)
      in (y', alpha, beta)
  in y

-- LU without pivoting of a matrix made dominant, then two substitutions.
entry ludcmp [n] (A: [n][n]f64) (b: [n]f64) : [n]f64 =
  let A = tabulate_2d n n (\i j -> A[i, j] + if i == j then f64.i64 n else 0)
  let LU =
    loop A for k < n - 1 do
      let piv = A[k, k]
      let rowk = copy A[k]
      in tabulate_2d n n (\i j ->
           if i <= k || j < k then A[i, j]
           else let l = A[i, k] / piv
                in if j == k then l else A[i, j] - l * rowk[j])
  let y =
    loop y = copy b for k < n do
      let yk = y[k]
      in map2 (\i yi -> if i > k then yi - LU[i, k] * yk else yi) (iota n) y
  in loop x = y for q < n do
       let k = n - 1 - q
       let xk = x[k] / LU[k, k]
       in map2 (\i xi -> if i == k then xk else if i < k then xi - LU[i, k] * xk else xi) (iota n) x

-- Recursive Gaussian filter: rows forwards and backwards, then columns.
def deriche_coef (alpha: f32) =
  let e = f32.exp (-alpha)
  let k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - f32.exp (2 * alpha))
  in { a1 = k, a2 = k * e * (alpha - 1), a3 = k * e * (alpha + 1), a4 = -k * e * e
     , b1 = 2 ** (-alpha), b2 = -(e * e) }

entry deriche [h][w] (alpha: f32) (img: [h][w]f32) : [h][w]f32 =
  let c = deriche_coef alpha
  let line [n] (xs: [n]f32) : [n]f32 =
    let (fw, _, _, _) =
      loop (ys, xm, ym1, ym2) = (replicate n 0, 0, 0, 0) for i < n do
        let y = c.a1 * xs[i] + c.a2 * xm + c.b1 * ym1 + c.b2 * ym2
        in (ys with [i] = y, xs[i], y, ym1)
    let (bw, _, _, _, _) =
      loop (ys, xp1, xp2, yp1, yp2) = (replicate n 0, 0, 0, 0, 0) for q < n do
        let i = n - 1 - q
        let y = c.a3 * xp1 + c.a4 * xp2 + c.b1 * yp1 + c.b2 * yp2
        in (ys with [i] = y, xs[i], xp1, y, yp1)
    in map2 (+) fw bw
  in img |> map line |> transpose |> map line |> transpose

-- Gauss-Seidel on nine points by wavefronts 2i+j.
entry seidel [n] (steps: i32) (A: [n][n]f64) : [n][n]f64 =
  loop A = copy A for _t < steps do
    loop A for w in 3..<3 * n - 5 do
      let cells =
        map (\i ->
          let j = w - 2 * i
          in if i >= 1 && i < n - 1 && j >= 1 && j < n - 1
             then let s = A[i-1, j-1] + A[i-1, j] + A[i-1, j+1]
                        + A[i, j-1] + A[i, j] + A[i, j+1]
                        + A[i+1, j-1] + A[i+1, j] + A[i+1, j+1]
                  in ((i, j), s / 9)
             else ((-1, -1), 0)) (iota n)
      let (is, vs) = unzip cells
      in scatter_2d A is vs

-- Alternating direction implicit: a tridiagonal solve on each line.
entry adi [n] (steps: i32) (u: [n][n]f64) : [n][n]f64 =
  let dx = 1 / f64.i64 n
  let dt = 1 / f64.i32 (steps + 1)
  let mul = dt / (dx * dx) / 1000
  let (a, b, c) = (-mul / 2, 1 + mul, -mul / 2)
  let solve (rhs: i64 -> f64) : [n]f64 =
    let (p, q) =
      loop (p, q) = (replicate n 0, replicate n 0 with [0] = 1) for j in 1..<n - 1 do
        let den = a * p[j-1] + b
        let qj = (rhs j - a * q[j-1]) / den
        in (p with [j] = -c / den, q with [j] = qj)
    in loop v = replicate n 1 for k < n - 2 do
         let j = n - 2 - k
         in v with [j] = p[j] * v[j+1] + q[j]
  let half (u: [n][n]f64) : [n][n]f64 =
    map (\i -> if i == 0 || i == n - 1 then replicate n 1
               else solve (\j -> -a * u[j, i-1] + (1 + 2 * a) * u[j, i] - c * u[j, i+1]))
        (iota n)
  in loop u for _t < steps do half (half u)
