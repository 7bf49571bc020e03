-- Escape times, smoothed, with a palette.
def pal : [4][3]f32 = [[0,0,0.3],[0.1,0.5,1],[1,0.9,0.3],[0.3,0,0]]
entry main (h: i64) (w: i64) (cr: f32) (ci: f32) : [h][w][3]u8 =
  tabulate_2d h w (\y x ->
    let (zr,zi,n) = loop (zr,zi,n) = (3*f32.i64 x/f32.i64 w-1.5, 3*f32.i64 y/f32.i64 h-1.5, 0i32) while n < 200 && zr*zr+zi*zi < 16 do (zr*zr-zi*zi+cr, 2*zr*zi+ci, n+1)
    let t = f32.i32 n/200*3
    let i = i64.min 2 (i64.f32 t)
    let f = t - f32.i64 i
    in map2 (\a b -> u8.f32 (255*(a+f*(b-a)))) pal[i] pal[i+1])
