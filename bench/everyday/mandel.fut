entry main (h: i64) (w: i64) (limit: i32) : [h][w]i32 =
  tabulate_2d h w (\y x ->
    let cr = 3*f32.i64 x/f32.i64 w - 2 let ci = 2*f32.i64 y/f32.i64 h - 1
    in (loop (zr,zi,n) = (0,0,0) while n < limit && zr*zr+zi*zi < 4 do (zr*zr-zi*zi+cr, 2*zr*zi+ci, n+1)).2)
