-- A convolution whose stride is an argument, a gather, a stencil with clamped borders, and a convolution that nothing keeps
-- within its image.
entry strided [n] [k] (x: [n]f32) (f: [k]f32) (s: i64) : []f32 =
  tabulate ((n - k) / s + 1) (\i -> #[sequential] reduce (+) 0 (tabulate k (\j -> x[i * s + j] * f[j])))

entry gather [n] [m] (x: [n]f32) (is: [m]i64) : [m]f32 = map (\i -> x[i]) is

entry clamped [n] (x: [n]f32) : [n]f32 =
  tabulate n (\i -> x[i64.max 0 (i - 1)] + x[i64.min (n - 1) (i + 1)])

entry placed [h] [w] [k] (x: [h][w]f32) (f: [k][k]f32) (rows: i64) (columns: i64) : [rows][columns]f32 =
  tabulate_2d rows columns (\y x' -> #[sequential] loop s = 0 for i < 3 do loop s for j < 3 do s + x[y + i, x' + j] * f[i, j])

entry padded [h] [w] (x: [h][w]f32) (f: [3][3]f32) (rows: i64) : [rows][w]f32 =
  let at y x' = if x' >= 0 && x' < w then x[y, x'] else 0
  in tabulate_2d rows w (\y x' -> #[sequential] loop s = 0 for i < 3 do loop s for j < 3 do s + at (y + i) (x' + j - 1) * f[i, j])

entry sliced [n] [m] (x: [n]f32) (f: [m]f32) (s: i64) (o: i64) : [m][o]f32 =
  tabulate_2d m o (\c i -> let w = x[3 * i:3 * i + 2 * s + 1:s] :> [3]f32 in #[sequential] loop a = 0 for j < 3 do a + w[j] * f[c])
