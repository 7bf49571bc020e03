-- Gradients of a convolution with respect to its weights and its input.
def main [ci][co][h][w] (x: [ci][h+2][w+2]f32) (dy: [co][h][w]f32) (k: [co][ci][3][3]f32) : ([co][ci][3][3]f32, [ci][h+2][w+2]f32) =
  let dk = tabulate_2d co ci (\o i -> tabulate_2d 3 3 (\a b ->
    f32.sum (flatten (tabulate_2d h w (\y z -> dy[o,y,z] * x[i,y+a,z+b])))))
  let dx = tabulate_3d ci (h+2) (w+2) (\i y z ->
    f32.sum (map (\o -> f32.sum (flatten (tabulate_2d 3 3 (\a b ->
      let yy = y - a let zz = z - b
      in if yy >= 0 && yy < h && zz >= 0 && zz < w then dy[o,yy,zz] * k[o,i,a,b] else 0)))) (iota co)))
  in (dk, dx)
