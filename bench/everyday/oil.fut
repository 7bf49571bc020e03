-- Oil painting: the most frequent of eight intensities in a window decides the colour.
def main [h][w] (img: [h][w]u8) : [h][w]u8 =
  tabulate_2d h w (\y x ->
    let (count, sum) = loop (count, sum) = (replicate 8 0i32, replicate 8 0i32) for k < 49 do
      let v = img[i64.max 0 (i64.min (h-1) (y + k / 7 - 3)), i64.max 0 (i64.min (w-1) (x + k % 7 - 3))]
      let b = i64.u8 (v >> 5)
      in (count with [b] = count[b] + 1, sum with [b] = sum[b] + i32.u8 v)
    let (_, best) = loop (top, best) = (count[0], 0i64) for b < 8 do if count[b] > top then (count[b], b) else (top, best)
    in u8.i32 (sum[best] / count[best]))
