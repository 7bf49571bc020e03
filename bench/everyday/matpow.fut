-- A matrix to the power of k by squaring.
def mul [n] (a: [n][n]f32) (b: [n][n]f32) : [n][n]f32 = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
def main [n] (k: i32) (a: [n][n]f32) : [n][n]f32 =
  let a = map (map (/ f32.i64 n)) a
  let eye = tabulate_2d n n (\i j -> f32.bool (i == j))
  let (r, _, _) = loop (r, b, k) = (eye, a, k) while k > 0 do
    (if k % 2 == 1 then mul r b else r, mul b b, k / 2)
  in r
