-- Depthwise 3x3, then 1x1, bias and ReLU6 (MobileNet).
entry main [c][h][w][o] (x: [c][h][w]f32) (dw: [c][3][3]f32) (pw: [o][c]f32) (b: [o]f32) : [o][h][w]f32 =
  let at (ch: i64) y x' = if y < 0 || x' < 0 || y >= h || x' >= w then 0 else x[ch,y,x']
  let d = tabulate_3d c h w (\ch y x -> f32.max 0 (loop s = 0 for i < 3i64 do loop s = s for j < 3i64 do s + dw[ch,i,j]*at ch (y+i-1) (x+j-1)))
  in tabulate_3d o h w (\k y x -> f32.max 0 (f32.min 6 (b[k] + f32.sum (map (\ch -> pw[k,ch]*d[ch,y,x]) (iota c)))))
