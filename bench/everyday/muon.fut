-- An optimiser that orthogonalises its momentum with Newton and Schulz's quintic iteration.
def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a

def poly [n] (a: f32) (b: f32) (s: [n][n]f32) (s2: [n][n]f32) : [n][n]f32 =
  map2 (map2 (\x y -> a * x + b * y)) s s2

entry main [n][m] (iters: i32) (rate: f32) (beta: f32) (w: [n][m]f32) (g: [n][m]f32) (mom: [n][m]f32)
    : ([n][m]f32, [n][m]f32) =
  let mom' = map2 (map2 (\v d -> beta * (v - 0.5) + (1 - beta) * (d - 0.5))) mom g
  let norm = f32.sqrt (f32.sum (map (\r -> f32.sum (map (\v -> v * v) r)) mom')) + 1e-7
  let x = map (map (/ norm)) mom'
  let x = loop x for _i < iters do
    let s = matmul x (transpose x)
    let q = poly (-4.7750) 2.0315 s (matmul s s)
    in map2 (map2 (\y z -> 3.4445 * y + z)) x (matmul q x)
  let k = rate * f32.sqrt (f32.max 1 (f32.i64 n / f32.i64 m))
  in (map2 (map2 (\p u -> p - k * u)) w x, mom')
