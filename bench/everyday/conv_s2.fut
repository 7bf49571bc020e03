-- 3x3, stride 2, batch, ReLU.
entry main [n][c][h][w][o] (x: [n][c][h][w]f32) (f: [o][c][3][3]f32) (b: [o]f32) : [n][o][][]f32 =
  let oh = (h-3)/2+1 let ow = (w-3)/2+1
  in map (\x -> map2 (\f b -> tabulate_2d oh ow (\y xx -> f32.max 0 (b + f32.sum (flatten_3d (tabulate_3d c 3 3 (\k i j -> f[k,i,j]*x[k,2*y+i,2*xx+j])))))) f b) x
