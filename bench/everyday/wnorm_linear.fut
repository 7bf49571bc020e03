-- Weight-normalised linear layer with a smooth L1 loss: three steps of descent on direction, gain and bias.
def norm [k] (v: [k]f32) = f32.sqrt (f32.sum (map (\x -> x * x) v) + 1e-8)

def apply [m][k][n] (v: [m][k]f32) (g: [m]f32) (b: [m]f32) (x: [n][k]f32) : [n][m]f32 =
  let w = map2 (\row gain -> let s = gain / norm row in map (* s) row) v g
  in map (\xi -> map2 (\row c -> c + f32.sum (map2 (*) row xi)) w b) x

def smooth (beta: f32) (e: f32) =
  let a = f32.abs e
  in if a < beta then 0.5 * a * a / beta else a - 0.5 * beta

entry main [n][k][m] (lr: f32) (x: [n][k]f32) (y: [n][m]f32) (v0: [m][k]f32) =
  let objective (v, g, b) =
    let p = apply v g b x
    in f32.sum (map2 (\pr yr -> f32.sum (map2 (\a c -> smooth 1 (a - c)) pr yr)) p y) / f32.i64 n
  let start = (map (map (\t -> t - 0.5)) v0, replicate m 1f32, replicate m 0f32)
  let (v, g, b) =
    loop (v, g, b) = start for _i < 3i32 do
      let (dv, dg, db) = vjp objective (v, g, b) 1
      in (map2 (map2 (\a d -> a - lr * d)) v dv, map2 (\a d -> a - lr * d) g dg, map2 (\a d -> a - lr * d) b db)
  in (objective (v, g, b), v, g, b)
