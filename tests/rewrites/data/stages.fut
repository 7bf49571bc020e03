-- Operations that are stages of pipelines, for all borders and layouts: a second stage reads the first in windows of three.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def clamp_below (n: i64) (i: i64) = i64.min (n - 1) (i64.max 0 i)
def mirror (n: i64) (i: i64) = if i < 0 then -i else if i >= n then 2 * n - 2 - i else i

def first [h][w] (img: [h][w]f32) : [h][w]f32 = tabulate_2d h w (\y x -> img[y, clamp w (x - 1)] + img[y, clamp w (x + 1)])
def second [h][w] (at: i64 -> i64) (f: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> f[at (y - 1), x] + f[y, x] + f[at (y + 1), x])

entry clamped [h][w] (img: [h][w]f32) = second (clamp h) (first img)
entry clamped_below [h][w] (img: [h][w]f32) = second (clamp_below h) (first img)
entry mirrored [h][w] (img: [h][w]f32) = second (mirror h) (first img)

def around [h][w] (at: i64 -> i64) (f: [h][w]f32) : [h][w]f32 = tabulate_2d h w (\y x -> f[y, at (x - 1)] + f[y, at (x + 1)])

entry wrapped [h][w] (img: [h][w]f32) = around (\x -> (x + w) % w) (first img)
entry wrapped_by_choice [h][w] (img: [h][w]f32) =
  around (\x -> if x < 0 then x + w else if x >= w then x - w else x) (first img)

def or_else [h][w] (outside: f32) (f: [h][w]f32) (y: i64) (x: i64) : f32 = if 0 <= y && y < h then f[y, x] else outside

entry constant [h][w] (outside: f32) (img: [h][w]f32) =
  let f = first img
  in tabulate_2d h w (\y x -> or_else outside f (y - 1) x + or_else outside f (y + 1) x)

entry guarded [h][w] (img: [h][w]f32) =
  let f = first img
  in tabulate_2d h w (\y x -> if 0 < y && y < h - 1 then f[y - 1, x] + f[y + 1, x] else f[y, x])

-- Not of the table: its elements are read where the data say.
entry table [h][w] (levels: [h][w]u8) : [h][w]f32 =
  let curve = tabulate 256 (\i -> f32.sqrt (f32.i64 i))
  let f = tabulate_2d h w (\y x -> curve[i64.u8 levels[y, x]])
  in second (clamp h) f

-- The data say which, but not how far.
entry by_data [h][w] (img: [h][w]f32) : [h][w]f32 =
  let f = first img
  in tabulate_2d h w (\y x ->
       let (i, j) = if f[y, x] < 1 then (0, 1) else if f[y, x] < 2 then (1, 0) else (1, -1)
       in f[clamp h (y + i), clamp w (x + j)])

def both [h][w] 'a 'b (xs: [h][w](a, b)) : ([h][w]a, [h][w]b) = unzip (map unzip xs)

entry pairs [h][w] (img: [h][w]f32) : ([h][w]f32, [h][w]f32) =
  let (f, g) = both (tabulate_2d h w (\y x -> (img[y, clamp w (x - 1)], img[y, clamp w (x + 1)] * 2)))
  in both (tabulate_2d h w (\y x -> (f[clamp h (y - 1), x] - g[y, x], g[clamp h (y + 1), x] + f[y, x])))

entry channels_last [h][w] (img: [h][w][3]f32) : [h][w][3]f32 =
  let f = tabulate_3d h w 3 (\y x c -> img[y, clamp w (x - 1), c] + img[y, clamp w (x + 1), c])
  in tabulate_3d h w 3 (\y x c -> f[clamp h (y - 1), x, c] + f[clamp h (y + 1), x, c])

entry channels_first [h][w] (img: [4][h][w]f32) : [4][h][w]f32 =
  let f = tabulate_3d 4 h w (\c y x -> img[c, y, clamp w (x - 1)] + img[c, y, clamp w (x + 1)])
  in tabulate_3d 4 h w (\c y x -> f[c, clamp h (y - 1), x] + f[c, clamp h (y + 1), x])

-- Sums over weights that follow from their indices are no contractions.
def weighted_sum (at: i64 -> i64 -> i32) : i32 =
  loop s = 0 for dy < 3 do loop s for dx < 3 do s + i32.i64 ((dx + 1) * (dy + 1)) * at dy dx

entry weighted [h][w] (img: [h][w]i32) : [][]i32 =
  let f = tabulate_2d (h - 2) (w - 2) (\y x -> weighted_sum (\dy dx -> img[y + dy, x + dx]))
  in tabulate_2d (h - 4) (w - 4) (\y x -> weighted_sum (\dy dx -> f[y + dy, x + dx]))

-- Sizes that agree only when it is run.
entry sampled [h][w] (n: i64) (m: i64) (img: [h][w]f32) : [n][m]f32 =
  let half = tabulate_2d (h / 2) (w / 2) (\y x -> img[2 * y, 2 * x] + img[2 * y + 1, 2 * x + 1])
  in tabulate_2d n m (\y x -> half[y / 2, x / 2] + half[(y + 1) / 2, (x + 1) / 2])

-- Functions that are called several times are not inlined by the host, so that arrays go under several names.
def smooth [h][w] (f: [h][w]f32) : [h - 2][w - 2]f32 =
  tabulate_2d (h - 2) (w - 2) (\y x -> f[y, x] + f[y + 1, x + 1] + f[y + 2, x + 2])

entry by_functions [h][w] (img: [h][w]f32) : [][]f32 = smooth (smooth img)
