-- Transposed convolution of stride 2: a gather over the taps of equal parity.
entry main [c][h][w][o] (x: [c][h][w]f32) (f: [c][o][4][4]f32) : [o][][]f32 =
  tabulate_3d o (2*h+2) (2*w+2) (\k y xx ->
    loop s = 0f32 for i < 4i64 do loop s = s for j < 4i64 do
      let a = y - i let b = xx - j
      in if a % 2 == 0 && b % 2 == 0 && a >= 0 && b >= 0 && a/2 < h && b/2 < w
         then s + f32.sum (map (\ch -> f[ch,k,i,j]*x[ch,a/2,b/2]) (iota c)) else s)
