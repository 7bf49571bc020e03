-- Natural cubic splines through equally spaced knots, one a row, evaluated (value and slope) at the row's own query points.
def second_derivatives [m] (y: [m]f32) : [m]f32 =
  let (c, d) =
    loop (c, d) = (replicate m 0f32, replicate m 0f32)
    for i in 1..<m - 1 do
      let rhs = 6 * (y[i - 1] - 2 * y[i] + y[i + 1])
      let w = 1 / (4 - c[i - 1])
      let e = w * (rhs - d[i - 1])
      in (c with [i] = w, d with [i] = e)
  in loop s = replicate m 0f32
     for k < m - 2 do
       let i = m - 2 - k
       let z = d[i] - c[i] * s[i + 1]
       in s with [i] = z

def evaluate [m] (y: [m]f32) (s: [m]f32) (t: f32) : (f32, f32) =
  let x = t * f32.i64 (m - 1)
  let i = i64.max 0 (i64.min (m - 2) (i64.f32 x))
  let b = x - f32.i64 i
  let a = 1 - b
  let value = a * y[i] + b * y[i + 1] + ((a ** 3 - a) * s[i] + (b ** 3 - b) * s[i + 1]) / 6
  let slope = y[i + 1] - y[i] + ((3 * b * b - 1) * s[i + 1] - (3 * a * a - 1) * s[i]) / 6
  in (value, slope)

entry main [n] [m] [q] (ys: [n][m]f32) (ts: [n][q]f32) : ([n][q]f32, [n][q]f32, [n]f32) =
  let ss = map second_derivatives ys
  let (values, slopes) = unzip (map3 (\y s t -> unzip (map (evaluate y s) t)) ys ss ts)
  let energy = map (\s -> reduce (+) 0 (map2 (\a b -> (a * a + a * b + b * b) / 3) (init s) (tail s))) ss
  in (values, slopes, energy)
