-- Enlarged by any factor, bicubic.
entry main [h][w] (hh: i64) (ww: i64) (a: [h][w]f32) : [hh][ww]f32 =
  let cl m (i: i64) = i64.max 0 (i64.min (m-1) i)
  let k (t: f32) = let t = f32.abs t in if t <= 1 then 1.5*t*t*t - 2.5*t*t + 1 else if t < 2 then -0.5*t*t*t + 2.5*t*t - 4*t + 2 else 0
  in tabulate_2d hh ww (\y x ->
    let fy = (f32.i64 y + 0.5)*f32.i64 h/f32.i64 hh - 0.5
    let fx = (f32.i64 x + 0.5)*f32.i64 w/f32.i64 ww - 0.5
    let iy = i64.f32 (f32.floor fy) let ix = i64.f32 (f32.floor fx)
    in loop s = 0 for j < 4i64 do loop s = s for i < 4i64 do
      s + k (fy - f32.i64 (iy+j-1)) * k (fx - f32.i64 (ix+i-1)) * a[cl h (iy+j-1), cl w (ix+i-1)])
