-- 3x3 with holes of 2, channels.
entry main [c][h][w][o] (x: [c][h][w]f32) (f: [o][c][3][3]f32) : [][][]f32 =
  tabulate_3d o (h-4) (w-4) (\k y xx -> f32.sum (flatten_3d (tabulate_3d c 3 3 (\ch i j -> f[k,ch,i,j]*x[ch,y+2*i,xx+2*j]))))
