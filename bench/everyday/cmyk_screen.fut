-- Print screens: RGB to CMYK with grey taken out, each ink by its own rotated 8x8 dot; one bit an ink.
def dot (x: i64) (y: i64) : u8 =
  let fold a = let a = a & 7 in if a < 4 then 2 * a + 1 else 15 - 2 * a
  in u8.i64 ((fold x * fold y * 255 / 49) & 255)

def angle (ink: i64) (y: i64) (x: i64) =
  if ink == 0 then dot (2 * x + y) (2 * y - x)
  else if ink == 1 then dot (x + 2 * y) (y - 2 * x)
  else if ink == 2 then dot x y
  else dot (x + y) (x - y)

entry main [h] [w] (img: [h][w][3]u8) : ([h][w]u8, [4]i64) =
  let inks (p: [3]u8) =
    let c = map (255 -) p
    let k = u8.min c[0] (u8.min c[1] c[2])
    in [c[0] - k, c[1] - k, c[2] - k, k]
  let print y x =
    let v = inks img[y, x]
    in loop bits = 0u8 for i < 4 do
         if v[i] > angle i y x then bits | (1 << u8.i64 i) else bits
  let plate = tabulate_2d h w print
  let used i = i64.sum (map (\b -> i64.u8 ((b >> u8.i64 i) & 1)) (flatten plate))
  in (plate, tabulate 4 used)
