-- Lower triangular systems with many right sides, forward.
def main [n][m] (l: [n][n]f32) (b: [n][m]f32) : [n][m]f32 =
  transpose (map (\c ->
    loop x = replicate n 0 for i < n do
      let s = loop s = c[i] for j < i do s - l[i,j] * x[j]
      in x with [i] = s / (l[i,i] + f32.i64 n)) (transpose b))
