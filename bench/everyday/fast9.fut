-- FAST-9 corners: a segment test on a circle of 16 by bit masks, integer score, suppression of non-maxima in 3x3, list of the corners.
def circle: [16](i64, i64) =
  [(-3, 0), (-3, 1), (-2, 2), (-1, 3), (0, 3), (1, 3), (2, 2), (3, 1),
   (3, 0), (3, -1), (2, -2), (1, -3), (0, -3), (-1, -3), (-2, -2), (-3, -1)]

-- Whether nine neighbouring bits of a ring of 16 are set.
def nine (mask: u32): bool =
  let m = mask | (mask << 16)
  let m2 = m & (m >> 1)
  let m4 = m2 & (m2 >> 2)
  let m8 = m4 & (m4 >> 4)
  in m8 & (m >> 8) & 0xffff != 0

def score [h][w] (t: i32) (img: [h][w]u8) (y: i64) (x: i64): i32 =
  if y < 3 || x < 3 || y >= h - 3 || x >= w - 3 then 0 else
  let c = i32.u8 img[y, x]
  let (brighter, darker, up, dn) =
    loop (b, d, up, dn) = (0u32, 0u32, 0i32, 0i32) for k < 16 do
      let (dy, dx) = #[unsafe] circle[k]
      let e = i32.u8 (#[unsafe] img[y + dy, x + dx]) - c
      let bit = 1 << u32.i64 k
      in if e > t then (b | bit, d, up + e - t, dn)
         else if e < -t then (b, d | bit, up, dn - e - t)
         else (b, d, up, dn)
  in if nine brighter || nine darker then i32.max up dn else 0

entry main [h][w] (t: i32) (img: [h][w]u8): ([]i32, []i32, [h][w]i32) =
  let scores = tabulate_2d h w (score t img)
  let is_peak i =
    let (y, x) = (i / w, i % w)
    let s = scores[y, x]
    let beats (dy: i64) (dx: i64) =
      let (yy, xx) = (y + dy, x + dx)
      in yy < 0 || xx < 0 || yy >= h || xx >= w
         || scores[yy, xx] < s || (scores[yy, xx] == s && (dy > 0 || (dy == 0 && dx > 0)))
    in s > 0 && beats (-1) (-1) && beats (-1) 0 && beats (-1) 1 && beats 0 (-1)
       && beats 0 1 && beats 1 (-1) && beats 1 0 && beats 1 1
  let peaks = filter is_peak (iota (h * w))
  in (map i32.i64 peaks, map (\i -> scores[i / w, i % w]) peaks, scores)
