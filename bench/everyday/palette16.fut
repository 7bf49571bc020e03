-- Sixteen-colour palette of an RGB image: 15-bit colour histogram, weighted k-means on its cells, ordered dither, indices.
def bin (p: [3]u8) : i64 = i64.u8 (p[0] >> 3) << 10 | i64.u8 (p[1] >> 3) << 5 | i64.u8 (p[2] >> 3)

def dist (a: [3]i32) (b: [3]i32) : i32 =
  let d k = a[k] - b[k]
  in 2 * d 0 * d 0 + 4 * d 1 * d 1 + 3 * d 2 * d 2

def nearest (pal: [16][3]i32) (c: [3]i32) : i64 =
  let (_, best) =
    loop (d, best) = (i32.highest, 0) for k < 16 do
      let e = dist pal[k] c
      in if e < d then (e, k) else (d, best)
  in best

def centre (cell: i64) : [3]i32 =
  map (\s -> i32.i64 (cell >> s & 31) * 8 + 4) [10, 5, 0]

-- One Lloyd round on the cells, integer means.
def lloyd (counts: [32768]i64) (pal: [16][3]i32) : [16][3]i32 =
  let owner = map (\c -> nearest pal (centre c)) (iota 32768)
  let mass = hist (+) 0 16 owner counts
  let moment k = hist (+) 0 16 owner (map2 (\c n -> n * i64.i32 (centre c)[k]) (iota 32768) counts)
  let (r, g, b) = (moment 0, moment 1, moment 2)
  in tabulate 16 (\k -> if mass[k] == 0 then pal[k]
                        else map (\s -> i32.i64 (s / mass[k])) [r[k], g[k], b[k]])

def bayer (i: i64) (j: i64) : i32 =
  let q a b = if a == 0 then 2 * b else 3 - 2 * b
  in i32.i64 (4 * q (i & 1) (j & 1) + q (i >> 1 & 1) (j >> 1 & 1))

-- The commonest index about a place, its own where there are ties.
def majority [h][w] (idx: [h][w]i64) (i: i64) (j: i64) : i64 =
  let votes = replicate 16 0u8
  let votes =
    loop votes for q < 9 do
      let y = i64.max 0 (i64.min (h - 1) (i + q / 3 - 1))
      let x = i64.max 0 (i64.min (w - 1) (j + q % 3 - 1))
      in votes with [idx[y, x]] = votes[idx[y, x]] + 1
  in loop best = idx[i, j] for k < 16 do if votes[k] > votes[best] then k else best

entry main [h][w] (rounds: i32) (img: [h][w][3]u8) : ([h][w]u8, [16][3]i32, [16]i64, i64, i64) =
  let warm = map (map (\p -> [p[0], u8.i32 (i32.u8 p[0] * i32.u8 p[1] / 255), p[2] >> 1])) img
  let pixels = flatten warm
  let counts = hist (+) 0 32768 (map bin pixels) (replicate (h * w) 1)
  let start = tabulate 16 (\k -> map (\s -> i32.i64 ((k * s) % 16) * 16 + 8) [1, 5, 11])
  let pal = loop pal = start for _r < rounds do lloyd counts pal
  let pick i j =
    let o = bayer i j - 8
    let c = map (\v -> i32.max 0 (i32.min 255 (i32.u8 v + o))) warm[i, j]
    in nearest pal c
  let idx = tabulate_2d h w pick
  let err = map2 (map2 (\p k -> i64.i32 (dist (map i32.u8 p) pal[k]))) warm idx
  let flat = tabulate_2d h w (\i j -> nearest pal (map i32.u8 warm[i, j]))
  let calm = tabulate_2d h w (majority flat)
  let changed = i64.sum (map i64.sum (map2 (map2 (\a b -> i64.bool (a != b))) flat calm))
  in (map (map u8.i64) idx, pal, hist (+) 0 16 (flatten idx) (replicate (h * w) 1), i64.sum (map i64.sum err), changed)
