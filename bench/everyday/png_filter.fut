-- PNG's five row filters: for each row the one with the least sum of absolute differences, and the filtered bytes.
def paeth (a: i32) (b: i32) (c: i32) : i32 =
  let p = a + b - c
  let (pa, pb, pc) = (i32.abs (p - a), i32.abs (p - b), i32.abs (p - c))
  in if pa <= pb && pa <= pc then a else if pb <= pc then b else c

def filtered [h] [w] (bpp: i64) (img: [h][w]u8) (kind: i64) (y: i64) (x: i64) : u8 =
  let at y x = if y < 0 || x < 0 then 0 else i32.u8 img[y, x]
  let a = at y (x - bpp)
  let b = at (y - 1) x
  let guess =
    if kind == 0 then 0
    else if kind == 1 then a
    else if kind == 2 then b
    else if kind == 3 then (a + b) / 2
    else paeth a b (at (y - 1) (x - bpp))
  in u8.i32 (i32.u8 img[y, x] - guess)

entry main [h] [w] (bpp: i64) (img: [h][w]u8) : ([h]u8, [h][w]u8, [5]i64) =
  let cost kind y =
    i32.sum (tabulate w (\x -> i32.abs (i32.i8 (i8.u8 (filtered bpp img kind y x)))))
  let best y =
    let costs = map (\k -> cost k y) (iota 5)
    in (loop (k, c) = (0, costs[0]) for j in 1..<5 do
          if costs[j] < c then (j, costs[j]) else (k, c)).0
  let kinds = map best (iota h)
  let out = tabulate_2d h w (\y x -> filtered bpp img kinds[y] y x)
  in (map u8.i64 kinds, out, reduce_by_index (replicate 5 0) (+) 0 kinds (replicate h 1))
