entry main [d][h][w] (x: [d][h][w]f32) (f: [3][3][3]f32) : [][][]f32 =
  tabulate_3d (d-2) (h-2) (w-2) (\z y xx -> f32.sum (flatten_3d (tabulate_3d 3 3 3 (\i j k -> f[i,j,k]*x[z+i,y+j,xx+k]))))
