-- Partial convolutions for inpainting: three layers over a masked feature map, renormalised by the valid taps, with the mask growing layer by layer.
def pconv [ci][co][h][w] (ker: [co][ci][3][3]f32) (bias: [co]f32) (x: [ci][h][w]f32, mask: [h][w]u8) : ([co][h][w]f32, [h][w]u8) =
  let inside y x = y >= 0 && y < h && x >= 0 && x < w
  let valid = tabulate_2d h w (\y x' ->
    u8.sum (tabulate 9 (\t ->
      let (j, i) = (y + t/3 - 1, x' + t%3 - 1)
      in if inside j i then mask[j,i] else 0)))
  let out = map2 (\k b -> tabulate_2d h w (\y x' ->
    if valid[y,x'] == 0 then 0
    else
      let s = loop s = 0f32 for c < ci do
        loop s for t < 9 do
          let (j, i) = (y + t/3 - 1, x' + t%3 - 1)
          in if inside j i && mask[j,i] == 1 then s + x[c,j,i] * (k[c, t/3, t%3] - 0.5) else s
      in f32.max 0 (s * 9 / f32.u8 valid[y,x'] + b))) ker bias
  in (out, map (map (\v -> u8.bool (v > 0))) valid)

entry main [h][w][c] (img: [3][h][w]f32) (holes: [h][w]u8) (k1: [c][3][3][3]f32) (k2: [c][c][3][3]f32) (k3: [3][c][3][3]f32) (b: [c]f32) : ([3][h][w]f32, [3]i64) =
  let mask = map (map (\v -> u8.bool (v < 60))) holes
  let count m = i64.sum (map i64.u8 (flatten m))
  let scale k = map (map (map (map (/ f32.i64 c)))) k
  let (x1, m1) = pconv k1 b (img, mask)
  let (x2, m2) = pconv (scale k2) b (x1, m1)
  let (x3, m3) = pconv (scale k3) [0, 0, 0] (x2, m2)
  let keep m a p = if m == 1 then a else p
  let out = map2 (map3 (map3 keep) mask) img x3
  in (out, [count m1, count m2, count m3])
