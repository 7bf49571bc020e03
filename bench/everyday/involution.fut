-- Involution: each pixel's own 5x5 kernel per group of channels comes from a bottleneck of its channels; then applied to its neighbourhood with zero padding.
def relu = f32.max 0f32

entry main [n][c][h][w][r][g] (reduce_w: [r][c]f32) (reduce_b: [r]f32) (span: [g][25][r]f32) (x: [n][c][h][w]f32): [n][c][h][w]f32 =
  let per = (c + g - 1) / g
  let one (im: [c][h][w]f32): [c][h][w]f32 =
    let pixels = map transpose (transpose im)  -- h, w, c
    let mid: [h][w][r]f32 = map (\row -> map (\p -> map2 (\wr b -> relu (b + f32.sum (map2 (\a q -> (a - 0.5) * q) wr p))) reduce_w reduce_b) (transpose row)) (map transpose pixels)
    let kernels: [h][w][g][25]f32 = map (map (\m -> map (map (\s -> f32.sum (map2 (\a q -> (a - 0.5) * q) s m))) span)) mid
    in tabulate_3d c h w (\ch y z ->
         let k = kernels[y, z, ch / per]
         in loop s = 0 for t < 25 do
              let (yy, zz) = (y + t / 5 - 2, z + t % 5 - 2)
              in if 0 <= yy && yy < h && 0 <= zz && zz < w then s + k[t] * im[ch, yy, zz] else s)
  in map one x
