-- Two 3x3 convolutions with padding, bias, ReLU and the sum with the input.
def conv [c][h][w][o] (f: [o][c][3][3]f32) (b: [o]f32) (x: [c][h][w]f32) : [o][h][w]f32 =
  let at k y xx = if y < 0 || xx < 0 || y >= h || xx >= w then 0 else x[k,y,xx]
  in map2 (\f b -> tabulate_2d h w (\y xx -> b + f32.sum (flatten_3d (tabulate_3d c 3 3 (\k i j -> f[k,i,j]*at k (y+i-1) (xx+j-1)))))) f b
entry main [n][c][h][w] (x: [n][c][h][w]f32) (f: [c][c][3][3]f32) (b: [c]f32) (g: [c][c][3][3]f32) (d: [c]f32) : [n][c][h][w]f32 =
  map (\x -> let y = map (map (map (f32.max 0))) (conv f b x) in map2 (map2 (map2 (\p q -> f32.max 0 (p+q)))) x (conv g d y)) x
