-- One level of Strassen's product.
def mm [n] (a: [n][n]f32) (b: [n][n]f32) : [n][n]f32 = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
def plus [h] (x: [h][h]f32) (y: [h][h]f32) : [h][h]f32 = map2 (map2 (+)) x y
def less [h] (x: [h][h]f32) (y: [h][h]f32) : [h][h]f32 = map2 (map2 (-)) x y
entry main [n] (a: [n][n]f32) (b: [n][n]f32) : [][]f32 =
  let h = n/2
  let q (m: [n][n]f32) i j : [h][h]f32 = tabulate_2d h h (\y x -> m[i*h+y, j*h+x])
  let (a11,a12,a21,a22) = (q a 0 0, q a 0 1, q a 1 0, q a 1 1)
  let (b11,b12,b21,b22) = (q b 0 0, q b 0 1, q b 1 0, q b 1 1)
  let m1 = mm (plus a11 a22) (plus b11 b22) let m2 = mm (plus a21 a22) b11 let m3 = mm a11 (less b12 b22) let m4 = mm a22 (less b21 b11)
  let m5 = mm (plus a11 a12) b22 let m6 = mm (less a21 a11) (plus b11 b12) let m7 = mm (less a12 a22) (plus b21 b22)
  let top = map2 (++) (plus (less (plus m1 m4) m5) m7) (plus m3 m5)
  let low = map2 (++) (plus m2 m4) (plus (plus (less m1 m2) m3) m6)
  in top ++ low
