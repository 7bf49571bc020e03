-- Fast global smoother: edge-aware tridiagonal solves along the rows, then along the columns, guided by a u8 image, three rounds.
def solve_row [n] (lam: f32) (wt: [256]f32) (g: [n]u8) (f: [n]f32) : [n]f32 =
  let wgt i = if i < 0 || i >= n-1 then 0
              else lam * wt[i64.i32 (i32.abs (i32.u8 g[i] - i32.u8 g[i+1]))]
  let (cs, ds) =
    loop (cs, ds) = (replicate n 0, replicate n 0) for i < n do
      let a = -(wgt (i-1))
      let c = -(wgt i)
      let b = 1 - a - c
      let (cp, dp) = if i == 0 then (0, 0) else (cs[i-1], ds[i-1])
      let m = 1 / (b - a*cp)
      in (cs with [i] = c*m, ds with [i] = (f[i] - a*dp) * m)
  in loop xs = ds for k < n-1 do
       let i = n-2-k
       let v = xs[i] - cs[i] * xs[i+1]
       in xs with [i] = v

entry main [h][w] (lambda: f32) (sigma: f32) (guide: [h][w]u8) (img: [h][w]f32) : [h][w]f32 =
  let wt = tabulate 256 (\i -> f32.exp (-(f32.i64 i) / sigma))
  let gt = transpose guide
  let rounds = 3
  in loop u = img for t < rounds do
       let lam = 1.5 * lambda * 4f32 ** f32.i64 (rounds-1-t) / (4f32 ** f32.i64 rounds - 1)
       let u = map2 (solve_row lam wt) guide u
       in transpose (map2 (solve_row lam wt) gt (transpose u))
