-- Overlapping 3x3 stride-2 max pooling that remembers the argmax, and its backward pass through the remembered indices.
def main [c][h][w] (img: [c][h][w]f32) (scale: f32) : ([c][]f32, [c][h][w]f32) =
  let (oh, ow) = ((h + 1) / 2, (w + 1) / 2)
  let pool (ch: [h][w]f32) (oy: i64) (ox: i64) =
    loop (best, at) = (-1f32, 0i32) for k < 9 do
      let (y, x) = (2 * oy + k / 3 - 1, 2 * ox + k % 3 - 1)
      in if y >= 0 && y < h && x >= 0 && x < w && ch[y, x] > best
         then (ch[y, x], i32.i64 (y * w + x)) else (best, at)
  let channel (ch: [h][w]f32) =
    let (vals, idxs) = unzip (flatten (tabulate_2d oh ow (pool ch)))
    let grad = map (\v -> scale * 2 * (v - 0.5)) vals
    let back = reduce_by_index (replicate (h * w) 0) (+) 0 (map i64.i32 idxs) grad
    in (vals, unflatten back)
  in unzip (map channel img)
