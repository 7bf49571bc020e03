-- Strongly anisotropic Poisson problem by zebra line relaxation: tridiagonal solves along the even rows, then along the odd ones; residual at the end.
def thomas [n] (off: f32) (dia: f32) (rhs: [n]f32) : [n]f32 =
  let (c, b) = loop (c, b) = (replicate n 0f32, copy rhs) for i < n do
    let (pc, pb) = if i > 0 then (c[i-1], b[i-1]) else (0, 0)
    let m = dia - off * pc
    let v = (b[i] - off * pb) / m
    in (c with [i] = off / m, b with [i] = v)
  in loop b for j < n-1 do
       let i = n - 2 - j
       let v = b[i] - c[i] * b[i+1]
       in b with [i] = v

entry main [h][w] (sweeps: i32) (eps: f32) (f: [h][w]f32) : ([h][w]f32, f32) =
  let off = -1f32
  let dia = 2 + 2 * eps
  let row u y = if y < 0 || y >= h then replicate w 0 else u[y]
  let half (par: i64) (u: [h][w]f32) : [h][w]f32 =
    tabulate h (\y ->
      if y % 2 != par then u[y]
      else thomas off dia (map3 (\a b c -> a - 0.5 + eps * (b + c)) f[y] (row u (y-1)) (row u (y+1))))
  let u = loop u = replicate h (replicate w 0) for _s < sweeps do u |> half 0 |> half 1
  let at y x = if y < 0 || x < 0 || y >= h || x >= w then 0 else u[y,x]
  let res = tabulate_2d h w (\y x ->
    let r = f[y,x] - 0.5 - dia * u[y,x] + at y (x-1) + at y (x+1) + eps * (at (y-1) x + at (y+1) x)
    in r * r)
  in (u, f32.sqrt (f32.sum (flatten res) / f32.i64 (h*w)))
