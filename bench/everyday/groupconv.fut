-- Convolutions in groups, with bias and ReLU, then means over the image.
def main [b][g][ci][co][hh][ww] (x: [b][g][ci][hh][ww]f32) (k: [g][co][ci][3][3]f32) (bias: [g][co]f32) : [b][g][co]f32 =
  let h = hh - 2 let w = ww - 2 in
  map (\img -> map3 (\xs ks bs -> map2 (\kk bb ->
    let out = tabulate_2d h w (\y z ->
      f32.max 0 (bb + f32.sum (map (\c -> f32.sum (flatten (tabulate_2d 3 3 (\i j -> xs[c,y+i,z+j] * kk[c,i,j])))) (iota ci))))
    in f32.sum (flatten out) / f32.i64 (h*w)) ks bs) img k bias) x
