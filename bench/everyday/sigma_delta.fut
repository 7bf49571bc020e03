-- Sigma-delta background subtraction: the background and its spread follow the video by steps of one; masks are cleaned by a 3x3 majority, and counted.
def toward (a: i16) (b: i16): i16 = a + i16.sgn (b - a)

def majority [h][w] (m: [h][w]bool): [h][w]bool =
  tabulate_2d h w (\y x ->
    let n = loop n = 0i32 for d < 9 do
      let (yy, xx) = (y + d/3 - 1, x + d%3 - 1)
      in if yy < 0 || xx < 0 || yy >= h || xx >= w then n else n + i32.bool m[yy, xx]
    in n >= 5)

entry main [t][h][w] (amp: i16) (video: [t][h][w]u8): (*[t][h][w]bool, [t]i64, [h][w]i16) =
  let first = map (map i16.u8) video[0]
  let masks = replicate t (replicate h (replicate w false))
  let (background, _, masks) =
    loop (m, v, masks) = (first, replicate h (replicate w 2i16), masks) for f in 1..<t do
      let frame = map (map i16.u8) video[f]
      let m = map2 (map2 toward) m frame
      let d = map2 (map2 (\a b -> i16.abs (a - b))) m frame
      let v = map2 (map2 (\v d -> if d == 0 then v else i16.max 2 (toward v (amp * d)))) v d
      let mask = majority (map2 (map2 (\d v -> d >= v)) d v)
      in (m, v, masks with [f] = mask)
  in (masks, map (\mask -> i64.sum (map (\r -> i64.sum (map i64.bool r)) mask)) masks, background)
