-- Motion-compensated temporal filter: 8x8 blocks of every frame search the one before within +-3 pixels, and are blended with the match by how good it is.
def range: i64 = 3
def block: i64 = 8

def sad [h][w] (cur: [h][w]u8) (ref: [h][w]u8) (y0: i64) (x0: i64) (dy: i64) (dx: i64): i32 =
  loop s = 0 for i < block do
    loop s for j < block do
      let (y, x) = (y0 + i, x0 + j)
      let (yy, xx) = (i64.max 0 (i64.min (h-1) (y+dy)), i64.max 0 (i64.min (w-1) (x+dx)))
      in s + i32.abs (i32.u8 cur[y, x] - i32.u8 ref[yy, xx])

entry main [t][h][w] (video: [t][h][w]u8): ([t][h][w]u8, [][][][2]i8) =
  let (bh, bw) = (h / block, w / block)
  let side = 2*range + 1
  let vectors =
    tabulate_3d t bh bw (\f by bx ->
      let ref = video[i64.max 0 (f - 1)]
      let cost = map (\c -> (sad video[f] ref (by*block) (bx*block) (c / side - range) (c % side - range), c)) (iota (side*side))
      in reduce (\a b -> if a.0 < b.0 || (a.0 == b.0 && a.1 < b.1) then a else b) (i32.highest, i64.highest) cost)
  let filtered =
    tabulate_3d t h w (\f y x ->
      if f == 0 || y / block >= bh || x / block >= bw then video[f, y, x]
      else let (s, c) = vectors[f, y/block, x/block]
           let yy = i64.max 0 (i64.min (h-1) (y + c / side - range))
           let xx = i64.max 0 (i64.min (w-1) (x + c % side - range))
           let k = i32.max 0 (128 - s / 32)
           in u8.i32 ((i32.u8 video[f, y, x] * (256 - k) + i32.u8 video[f-1, yy, xx] * k + 128) >> 8))
  in (filtered, map (map (map (\(_, c) -> [i8.i64 (c / side - range), i8.i64 (c % side - range)]))) vectors)
