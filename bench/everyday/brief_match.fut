-- BRIEF descriptors at the best corner of each cell of two pictures, matched by Hamming distance with ratio and cross checks.
def cell : i64 = 16
def reach : i64 = 9

def at [h] [w] 't (img: [h][w]t) (y: i64) (x: i64) : t =
  #[unsafe] img[i64.max 0 (i64.min (h - 1) y), i64.max 0 (i64.min (w - 1) x)]

def smooth [h] [w] (img: [h][w]u8) : [h][w]i32 =
  let across = tabulate_2d h w (\y x -> i32.sum (map (\d -> i32.u8 (at img y (x + d))) (-2...2)))
  in tabulate_2d h w (\y x -> i32.sum (map (\d -> at across (y + d) x) (-2...2)))

-- An integer Harris-like score from differences of the smoothed picture.
def corner [h] [w] (s: [h][w]i32) (y: i64) (x: i64) : i64 =
  let (a, b, c) =
    loop (a, b, c) = (0i64, 0i64, 0i64) for k < 9 do
      let (v, u) = (y + k / 3 - 1, x + k % 3 - 1)
      let gy = i64.i32 ((at s (v + 1) u - at s (v - 1) u) / 8)
      let gx = i64.i32 ((at s v (u + 1) - at s v (u - 1)) / 8)
      in (a + gx * gx, b + gx * gy, c + gy * gy)
  let tr = a + c
  in 25 * (a * c - b * b) - tr * tr

def later (a: (i64, i64, i64)) (b: (i64, i64, i64)) : (i64, i64, i64) =
  if a.0 > b.0 || (a.0 == b.0 && (a.1 < b.1 || (a.1 == b.1 && a.2 <= b.2))) then a else b

def keypoints [h] [w] (rows: i64) (cols: i64) (s: [h][w]i32) : [rows * cols](i64, i64) =
  let score = tabulate_2d h w (\y x -> corner s y x)
  in flatten (tabulate_2d rows cols (\r c ->
       let (_, y, x) =
         reduce_comm later (i64.lowest, 0, 0)
           (tabulate (cell * cell) (\i ->
              let (y, x) = (r * cell + i / cell, c * cell + i % cell)
              in (score[y, x], y, x)))
       in (y, x)))

def describe [h] [w] (s: [h][w]i32) (pattern: [128][4]i64) ((y, x): (i64, i64)) : [4]u32 =
  tabulate 4 (\word ->
    loop bits = 0u32 for b < 32 do
      let p = pattern[word * 32 + b]
      let less = at s (y + p[0]) (x + p[1]) < at s (y + p[2]) (x + p[3])
      in bits | (u32.bool less << u32.i64 b))

def hamming (a: [4]u32) (b: [4]u32) : i32 = i32.sum (map2 (\x y -> u32.popc (x ^ y)) a b)

def nearest [n] (ds: [n][4]u32) (d: [4]u32) : (i32, i32, i64) =
  loop (best, second, who) = (1000, 1000, -1) for j < n do
    let e = hamming d ds[j]
    in if e < best then (e, best, j) else (best, i32.min e second, who)

entry main [h] [w] (random: [128]i32) (left: [h][w]u8) (right: [h][w]u8) =
  let pattern =
    map (\r -> map (\s -> i64.i32 ((r >> s) & 0xff) % (2 * reach + 1) - reach) [0, 8, 16, 23]) random
  let (rows, cols) = (h / cell, w / cell)
  let (sl, sr) = (smooth left, smooth right)
  let kl = keypoints rows cols sl
  let kr = keypoints rows cols sr
  let dl = map (describe sl pattern) kl
  let dr = map (describe sr pattern) kr
  let forth = map (nearest dr) dl
  let back = map (nearest dl) dr
  let matched =
    map2 (\i (d, e, j) ->
            let (_, _, i') = back[j]
            in if i' == i && 10 * d < 9 * e then i32.i64 j else -1)
         (indices forth) forth
  in (map (\(y, x) -> [i32.i64 y, i32.i64 x]) kl, dl, matched, i32.sum (map (\m -> i32.bool (m >= 0)) matched))
