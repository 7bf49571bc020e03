-- Semi-global matching: absolute differences of rank-transformed pixels, costs passed along four directions with two penalties, the winner and a left-right check; all integers.
def disp : i64 = 32
def p1 : i32 = 6
def p2 : i32 = 40

-- One path along a line of costs: each place adds the cheapest way from its predecessor.
def path [n] (costs: [n][disp]u8): [n][disp]i32 =
  let start = map i32.u8 costs[0]
  let (out, _) =
    loop (out, prev) = (replicate n (replicate disp 0) with [0] = start, start) for i in 1..<n do
      let least = i32.minimum prev
      let next = tabulate disp (\d ->
        let a = prev[d]
        let b = if d > 0 then prev[d-1] + p1 else i32.highest
        let c = if d < disp - 1 then prev[d+1] + p1 else i32.highest
        in i32.u8 costs[i, d] + i32.min (i32.min a b) (i32.min c (least + p2)) - least)
      in (out with [i] = next, next)
  in out

def ranks [h][w] (img: [h][w]u8): [h][w]u8 =
  tabulate_2d h w (\y x -> loop r = 0u8 for k < 25 do
    let yy = i64.max 0 (i64.min (h-1) (y + k/5 - 2))
    let xx = i64.max 0 (i64.min (w-1) (x + k%5 - 2))
    in r + u8.bool (img[yy, xx] < img[y, x]))

def arg_min [n] (v: [n]i32): i64 =
  (reduce (\a b -> if b.0 < a.0 || (b.0 == a.0 && b.1 < a.1) then b else a) (i32.highest, n) (zip v (iota n))).1

entry main [h][w] (left: [h][w]u8) (right: [h][w]u8): ([h][w]i16, i64) =
  let (l, r) = (ranks left, ranks right)
  let cost = tabulate_3d h w disp (\y x d ->
    if d > x then 25u8 else let (a, b) = (l[y, x], r[y, x-d]) in if a > b then a - b else b - a)
  let across = map (\c -> map2 (map2 (+)) (path c) (reverse (path (reverse c)))) cost
  let down = transpose (map (\c -> map2 (map2 (+)) (path c) (reverse (path (reverse c)))) (transpose cost))
  let total = map2 (map2 (map2 (+))) across down
  let dl = map (map arg_min) total
  let dr = tabulate_2d h w (\y x -> arg_min (tabulate disp (\d -> if x + d < w then total[y, x+d, d] else i32.highest - 1)))
  let checked = tabulate_2d h w (\y x ->
    let d = dl[y, x]
    in if d <= x && i64.abs (dr[y, x-d] - d) <= 1 then i16.i64 d else -1)
  in (checked, i64.sum (map (\d -> i64.bool (d >= 0)) (flatten checked)))
