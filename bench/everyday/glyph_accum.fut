-- Fill an outline by accumulation: edges leave signed fixed-point coverage steps in the rows they cross, a running sum per row gives alpha.
type pt = {x: i64, y: i64}      -- in 1/256 of a pixel

def deposits (h: i64) (w: i64) (p: pt) (q: pt) (k: i64) : [2](i64, i32) =
  let (lo, hi, dir) = if q.y >= p.y then (p, q, 1) else (q, p, -1i64)
  let row = (lo.y >> 8) + k
  let a = i64.max lo.y (row << 8)
  let b = i64.min hi.y ((row + 1) << 8)
  in if b <= a || row < 0 || row >= h then replicate 2 (-1, 0)
     else let mid = lo.x + (hi.x - lo.x) * ((a + b) / 2 - lo.y) / (hi.y - lo.y)
          let x = i64.max 0 (i64.min ((w << 8) - 1) mid)
          let (col, fx) = (x >> 8, x & 255)
          let at = row * w + col
          in [ (at, i32.i64 (dir * (b - a) * (256 - fx)))
             , (if col + 1 < w then at + 1 else -1, i32.i64 (dir * (b - a) * fx)) ]

entry main [n] (h: i64) (w: i64) (px: [n]u16) (py: [n]u16) (sx: [n]i16) (sy: [n]i16) : [h][w]u8 =
  let edge x y u v =
    let p = {x = (i64.u16 x * w) >> 8, y = (i64.u16 y * h) >> 8}
    let q = {x = p.x + i64.i16 u / 20, y = p.y + i64.i16 v / 20}
    in flatten (map (deposits h w p q) (iota 8))
  let (is, vs) = unzip (flatten (map4 edge px py sx sy))
  let acc = unflatten (hist (+) 0 (h * w) is vs)
  in map (\r -> map (\c -> u8.i32 (i32.min 255 (i32.abs c / 256))) (scan (+) 0 r)) acc
