-- Chamfer distance of two clouds of points and its gradient for the first by vjp, with a few steps of descent.
def d2 (a: [3]f32) (b: [3]f32) : f32 =
  let sq x = x * x
  in sq (a[0] - b[0]) + sq (a[1] - b[1]) + sq (a[2] - b[2])

def one_way [n] [m] (p: [n][3]f32) (q: [m][3]f32) : f32 =
  f32.sum (map (\a -> f32.minimum (map (\b -> d2 a b) q)) p) / f32.i64 n

def chamfer [n] [m] (q: [m][3]f32) (p: [n][3]f32) : f32 = one_way p q + one_way q p

entry main [n] [m] (steps: i32) (rate: f32) (p: [n][3]f32) (q: [m][3]f32) : ([n][3]f32, f32, f32) =
  let f = chamfer (map (map (\x -> 0.5 + 0.5 * x)) q)
  let p' = loop p for _i < steps do
    let g = vjp f p 1
    in map2 (map2 (\x d -> x - rate * f32.i64 n * d)) p g
  in (p', f p, f p')
