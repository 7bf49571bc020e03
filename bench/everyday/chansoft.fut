-- Softmax over channels of images (not the last dimension).
entry main [n][c][h][w] (x: [n][c][h][w]f32) : [n][c][h][w]f32 =
  map (\p -> let e = tabulate_2d h w (\y xx ->
               let v = map (\k -> p[k,y,xx]) (iota c)
               let m = f32.maximum v
               let e = map (\v -> f32.exp (v-m)) v
               let s = f32.sum e in map (/s) e)
             in tabulate_3d c h w (\k y xx -> e[y,xx,k])) x
