-- A perspective warp of a colour image, bilinear.
def main [h][w] (m: [9]f32) (img: [h][w][3]f32) : [h][w][3]f32 =
  tabulate_2d h w (\y x ->
    let fx = f32.i64 x let fy = f32.i64 y
    let q = 1 + 1e-4 * (m[6]*fx + m[7]*fy)
    let u = (fx + 0.1*m[0]*fx + 0.1*m[1]*fy + m[2]) / q
    let v = (fy + 0.1*m[3]*fx + 0.1*m[4]*fy + m[5]) / q
    let x0 = i64.f32 (f32.floor u) let y0 = i64.f32 (f32.floor v)
    let ax = u - f32.floor u let ay = v - f32.floor v
    let at a b c = if a < 0 || a >= h || b < 0 || b >= w then 0 else img[a,b,c]
    let mix c = (1-ay)*((1-ax)*at y0 x0 c + ax*at y0 (x0+1) c) + ay*((1-ax)*at (y0+1) x0 c + ax*at (y0+1) (x0+1) c)
    in [mix 0, mix 1, mix 2])
