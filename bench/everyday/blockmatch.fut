-- Motion estimation as in a video coder: full search of 16x16 blocks within +-7 by sums of absolute differences, ties to the shorter vector; the predicted frame and its squared error.
def bs : i64 = 16
def reach : i64 = 7

entry main [h][w] (cur: [h][w]u8) (ref: [h][w]u8): ([]i32, [h][w]u8, i64) =
  let (by, bx) = (h / bs, w / bs)
  let clamp n i = i64.max 0 (i64.min (n - 1) i)
  let get y x = i32.u8 ref[clamp h y, clamp w x]
  let side = 2*reach + 1
  let sad (y0: i64) (x0: i64) (dy: i64) (dx: i64): i32 =
    loop s = 0 for i < bs do
      loop s for j < bs do
        s + i32.abs (i32.u8 cur[y0+i, x0+j] - get (y0+i+dy) (x0+j+dx))
  let better (a: (i32, i32, i32)) (b: (i32, i32, i32)) =
    if a.0 < b.0 then a else if b.0 < a.0 then b
    else if a.1 < b.1 then a else if b.1 < a.1 then b
    else if a.2 <= b.2 then a else b
  let search b =
    let (y0, x0) = (b / bx * bs, b % bx * bs)
    let cand k =
      let (dy, dx) = (k / side - reach, k % side - reach)
      in (sad y0 x0 dy dx, i32.i64 (dy*dy + dx*dx), i32.i64 k)
    in (reduce better (i32.highest, i32.highest, i32.highest) (map cand (iota (side*side)))).2
  let vectors = map search (iota (by*bx))
  let predict y x =
    if y >= by*bs || x >= bx*bs then ref[y, x]
    else
      let k = i64.i32 vectors[(y / bs)*bx + x / bs]
      in u8.i32 (get (y + k / side - reach) (x + k % side - reach))
  let pred = tabulate_2d h w predict
  let sq a b = let d = i64.u8 a - i64.u8 b in d*d
  in (vectors, pred, i64.sum (flatten (map2 (map2 sq) cur pred)))
