-- Segmentation output: integer bilinear enlargement of class scores, class map, cleaning by majority, confusion matrix and IoU, blended overlay.
def main [c][h][w][H][W] (scores: [c][h][w]i8) (truth: [H][W]u8) (image: [H][W][3]u8) =
  -- position of pixel i of n on m samples, in 1/16
  let place (n: i64) (m: i64) (i: i64) =
    let p = i64.max 0 (((2 * i + 1) * m * 16) / (2 * n) - 8)
    let a = i64.min (m - 1) (p / 16)
    in (a, i64.min (m - 1) (a + 1), i32.i64 (p % 16))
  let value (k: i64) y x =
    let (y0, y1, ty) = place H h y
    let (x0, x1, tx) = place W w x
    let at a b = i32.i8 scores[k, a, b]
    in (16 - ty) * ((16 - tx) * at y0 x0 + tx * at y0 x1) + ty * ((16 - tx) * at y1 x0 + tx * at y1 x1)
  let classify y x =
    let (_, best) = loop (v, b) = (value 0 y x, 0) for k in 1 ..< c do
                      let u = value k y x
                      in if u > v then (u, k) else (v, b)
    in u8.i64 best
  let label = tabulate_2d H W classify
  let clean = tabulate_2d H W (\y x ->
    let at dy dx = label[(y + dy) `i64.max` 0 `i64.min` (H - 1), (x + dx) `i64.max` 0 `i64.min` (W - 1)]
    let (a, b, p, q) = (at (-1) 0, at 1 0, at 0 (-1), at 0 1)
    in if a == b && (p == a || q == a) then a else if p == q && (a == p || b == p) then p else label[y, x])
  let flat = flatten clean
  let want = map (\t -> i64.u8 t % c) (flatten truth)
  let conf = unflatten (reduce_by_index (replicate (c * c) 0i32) (+) 0 (map2 (\t p -> t * c + i64.u8 p) want flat) (map (const 1) flat))
  let iou = tabulate c (\k ->
    let rows = i32.sum conf[k]
    let cols = i32.sum (map (\r -> r[k]) conf)
    let u = rows + cols - conf[k, k]
    in if u == 0 then 1 else f32.i32 conf[k, k] / f32.i32 u)
  let palette (k: u8) (ch: i64) : i32 = i32.u8 ((k * 67 + 40) >> u8.i64 ch) & 255
  let edge y x = (x + 1 < W && clean[y, x] != clean[y, x + 1]) || (y + 1 < H && clean[y, x] != clean[y + 1, x])
  let overlay = tabulate_3d H W 3 (\y x ch ->
    if edge y x then 255u8
    else u8.i32 ((5 * i32.u8 image[y, x, ch] + 3 * palette clean[y, x] ch) >> 3))
  in (clean, conf, iou, overlay)
