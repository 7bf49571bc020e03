-- Rotation-invariant uniform local binary patterns of a u16 image, a histogram of ten bins per 16x16 cell, square-root normalised.
def pattern [h][w] (img: [h][w]u16) (y: i64) (x: i64) : i64 =
  let c = img[y,x]
  let bit (dy: i64) (dx: i64) (k: u8) : u8 = if img[y+dy,x+dx] >= c then 1 << k else 0
  let code = bit (-1) (-1) 0 | bit (-1) 0 1 | bit (-1) 1 2 | bit 0 1 3
             | bit 1 1 4 | bit 1 0 5 | bit 1 (-1) 6 | bit 0 (-1) 7
  let rot = (code << 1) | (code >> 7)
  let changes = u8.popc (code ^ rot)
  in if changes <= 2 then i64.i32 (u8.popc code) else 9

entry main [h][w] (img: [h][w]u16) : ([][][10]f32, [10]i32) =
  let (ch, cw) = ((h+15)/16, (w+15)/16)
  let codes = tabulate_2d h w (\y x ->
    if y == 0 || x == 0 || y == h-1 || x == w-1 then -1
    else pattern img y x)
  let bins = tabulate_2d h w (\y x ->
    let k = codes[y,x]
    in if k < 0 then -1 else ((y/16) * cw + x/16) * 10 + k)
  let hist = hist (+) 0i32 (ch*cw*10) (flatten bins) (replicate (h*w) 1)
  let cells = unflatten_3d hist
  let feat = map (map (\c ->
      let tot = i32.sum c
      in map (\v -> f32.sqrt (f32.i32 v / f32.i32 (i32.max 1 tot))) c)) cells
  let total = map i32.sum (transpose (flatten cells))
  in (feat, total)
