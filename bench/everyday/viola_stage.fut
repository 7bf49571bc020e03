-- One stage of a Viola-Jones cascade: integral images, then box features normalised by the window's variance vote at each position, in whole numbers.
def integral [h] [w] (a: [h][w]i32) : [h + 1][w + 1]i32 =
  let rows = map (scan (+) 0) a
  let both = transpose (map (scan (+) 0) (transpose rows))
  in tabulate_2d (h + 1) (w + 1) (\y x -> if y == 0 || x == 0 then 0 else both[y - 1, x - 1])

def box [h] [w] (ii: [h][w]i32) (y: i64) (x: i64) (bh: i64) (bw: i64) : i32 =
  ii[y + bh, x + bw] - ii[y, x + bw] - ii[y + bh, x] + ii[y, x]

type feature = {y: i64, x: i64, h: i64, w: i64, upright: bool, polarity: i32}

def feature (r: i32) : feature =
  let part s n = i64.i32 ((r >> s) & 0x7f) % n
  in {y = part 0 12, x = part 7 12, h = 2 + part 14 5, w = 2 + part 20 5,
      upright = (r >> 27) & 1 == 1, polarity = if (r >> 28) & 1 == 1 then 1 else -1}

entry main [h] [w] [k] (limit: i32) (img: [h][w]u8) (codes: [k]i32) =
  let size = 24i64
  let vals = map (map i32.u8) img
  let ii = integral vals
  -- squares are halved in depth, so that a 32-bit sum suffices
  let sq = integral (map (map (\v -> (v * v) >> 4)) vals)
  let fs = map feature codes
  let oh = (h - size) / 2 + 1
  let ow = (w - size) / 2 + 1
  let votes =
    tabulate_2d oh ow (\j i ->
      let (y, x) = (2 * j, 2 * i)
      let n = i32.i64 (size * size)
      let mean = box ii y x size size / n
      let variance = i32.max 16 (16 * (box sq y x size size / n) - mean * mean)
      in loop score = 0i32 for q < k do
           let f = fs[q]
           let first = box ii (y + f.y) (x + f.x) f.h f.w
           let second = if f.upright
                        then box ii (y + f.y + f.h) (x + f.x) f.h f.w
                        else box ii (y + f.y) (x + f.x + f.w) f.h f.w
           let d = i64.i32 ((first - second) / i32.i64 (f.h * f.w))
           -- abs d > deviation / 4, without the root
           let strong = 16 * d * d > i64.i32 variance
           in if strong && (d > 0) == (f.polarity > 0) then score + 1 else score)
  let hits = i32.sum (flatten (map (map (\s -> i32.bool (s > limit))) votes))
  let (best, at) =
    reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (-1, 0)
                (zip (flatten votes) (iota (oh * ow)))
  in (votes, hits, best, at / ow, at % ow)
