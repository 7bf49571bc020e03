-- Gradients of a net of two layers by reverse mode.
def loss [n][i][h] (x: [n][i]f32) (y: [n]f32) (w1: [h][i]f32) (w2: [h]f32) : f32 =
  let hidden = map (\r -> map (\w -> f32.tanh (f32.sum (map2 (*) r w))) w1) x
  let out = map (\r -> f32.sum (map2 (*) r w2)) hidden
  in f32.sum (map2 (\a b -> (a-b)*(a-b)) out y) / f32.i64 n
def main [n][i][h] (x: [n][i]f32) (y: [n]f32) (w1: [h][i]f32) (w2: [h]f32) : ([h][i]f32, [h]f32) =
  vjp (\(a, b) -> loss x y a b) (w1, w2) 1f32
