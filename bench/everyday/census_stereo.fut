-- Stereo by the census transform (5x5): Hamming costs for d disparities, aggregated by a box in two passes, winner, left-right check.
def census [h][w] (img: [h][w]u8): [h][w]u32 =
  tabulate_2d h w (\y x ->
    loop bits = 0u32 for k < 25 do
      let yy = y + k / 5 - 2
      let xx = x + k % 5 - 2
      let v = if yy < 0 || yy >= h || xx < 0 || xx >= w then 0 else img[yy, xx]
      in (bits << 1) | u32.bool (v < img[y, x]))

def box_rows [h][w] (r: i64) (c: [h][w]u16): [h][w]u16 =
  tabulate_2d h w (\y x ->
    let sum = 0u16
    in loop sum for k in -r...r do
         sum + c[y, i64.max 0 (i64.min (w - 1) (x + k))])

def aggregate [h][w] (r: i64) (c: [h][w]u8): [h][w]u16 =
  c |> map (map u16.u8) |> box_rows r |> transpose |> box_rows r |> transpose

def winners [d][h][w] (cost: i64 -> i64 -> i64 -> u16) (_: [d][h][w]u16): [h][w]i64 =
  tabulate_2d h w (\y x ->
    let best = loop best = u32.highest for k < d do
      u32.min best ((u32.u16 (cost k y x) << 8) | u32.i64 k)
    in i64.u32 (best & 255))

entry main [h][w] (d: i64) (r: i64) (left: [h][w]u8) (right: [h][w]u8): ([h][w]u8, i64, f32) =
  let (l, t) = (census left, census right)
  let volume =
    tabulate d (\k ->
      aggregate r (tabulate_2d h w (\y x ->
        if x < k then 24 else u8.i32 (u32.popc (l[y, x] ^ t[y, x - k])))))
  let dl = winners (\k y x -> volume[k, y, x]) volume
  let dr = winners (\k y x -> if x + k < w then volume[k, y, x + k] else 65535) volume
  let checked = tabulate_2d h w (\y x ->
    let k = dl[y, x]
    let ok = x >= k && i64.abs (dr[y, x - k] - k) <= 1
    in if ok then (u8.i64 (k + 1), 1i64, k) else (0, 0, 0))
  let (disparity, ones, ks) = unzip3 (flatten checked)
  let n = i64.sum ones
  in (unflatten disparity, n, f32.i64 (i64.sum ks) / f32.i64 (i64.max 1 n))
