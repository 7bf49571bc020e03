-- Gradients of a loss of a convolution with respect to its weights and bias by reverse mode.
def conv [ci][co][h][w] (x: [ci][h+2][w+2]f32) (k: [co][ci][3][3]f32) (b: [co]f32) : [co][h][w]f32 =
  tabulate_3d co h w (\o y z -> b[o] + f32.sum (map (\i -> f32.sum (flatten (tabulate_2d 3 3 (\p q -> k[o,i,p,q] * x[i,y+p,z+q])))) (iota ci)))
def main [ci][co][h][w] (x: [ci][h+2][w+2]f32) (t: [co][h][w]f32) (k: [co][ci][3][3]f32) (b: [co]f32) : ([co][ci][3][3]f32, [co]f32) =
  let loss (k, b) = f32.sum (flatten_3d (map2 (map2 (map2 (\u v -> (u-v)*(u-v)))) (conv x k b) t)) / f32.i64 (h*w)
  in vjp loss (k, b) 1
