-- A colour look-up cube of 33 nodes a side applied to a video frame by tetrahedral interpolation in integers, mixed with the original by a mask's alpha.
def node : i64 = 33

def tetra (lut: [node][node][node][3]u8) (r: u8) (g: u8) (b: u8): [3]i32 =
  let split (v: u8) = let t = i32.u8 v * 32 in (i64.i32 (t / 255), t % 255)
  let (ri, rf) = split r
  let (gi, gf) = split g
  let (bi, bf) = split b
  let up i = i64.min (node - 1) (i + 1)
  let (r1, g1, b1) = (up ri, up gi, up bi)
  let c000 = lut[ri, gi, bi]
  let c111 = lut[r1, g1, b1]
  let (f1, f2, f3, p, q) =
    if rf >= gf
    then if gf >= bf then (rf, gf, bf, lut[r1, gi, bi], lut[r1, g1, bi])
         else if rf >= bf then (rf, bf, gf, lut[r1, gi, bi], lut[r1, gi, b1])
         else (bf, rf, gf, lut[ri, gi, b1], lut[r1, gi, b1])
    else if rf >= bf then (gf, rf, bf, lut[ri, g1, bi], lut[r1, g1, bi])
         else if gf >= bf then (gf, bf, rf, lut[ri, g1, bi], lut[ri, g1, b1])
         else (bf, gf, rf, lut[ri, gi, b1], lut[ri, g1, b1])
  in tabulate 3 (\c ->
       ((255 - f1) * i32.u8 c000[c] + (f1 - f2) * i32.u8 p[c] + (f2 - f3) * i32.u8 q[c] + f3 * i32.u8 c111[c] + 127) / 255)

entry main [h][w] (lut: [node][node][node][3]u8) (img: [h][w][3]u8) (alpha: [h][w]u8): [h][w][3]u8 =
  let f (px: [3]u8) (a: u8) =
    let graded = tetra lut px[0] px[1] px[2]
    let a = i32.u8 a
    in map2 (\p q -> u8.i32 ((a*q + (255 - a) * i32.u8 p + 127) / 255)) px graded
  in map2 (map2 f) img alpha
