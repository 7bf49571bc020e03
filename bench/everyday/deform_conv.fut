-- Deformable convolution with modulation: each tap of 3x3 looks at a bilinear sample away by its own offset (zero outside), weighed by a mask; bias and leaky ReLU.
def bilinear [h][w] (a: [h][w]f32) (y: f32) (x: f32): f32 =
  let (fy, fx) = (f32.floor y, f32.floor x)
  let (i, j) = (i64.f32 fy, i64.f32 fx)
  let (ty, tx) = (y - fy, x - fx)
  let g i j = if i < 0 || j < 0 || i >= h || j >= w then 0 else #[unsafe] a[i, j]
  in (1-ty) * ((1-tx) * g i j + tx * g i (j+1)) + ty * ((1-tx) * g (i+1) j + tx * g (i+1) (j+1))

entry main [c][h][w][o] (x: [c][h][w]f32) (offsets: [9][2][h][w]f32) (mask: [9][h][w]f32) (wt: [o][c*9]f32) (bias: [o]f32): [o][h][w]f32 =
  let cols = tabulate_2d (h*w) (c*9) (\p q ->
    let (y, x0) = (p / w, p % w)
    let (ch, k) = (q / 9, q % 9)
    let oy = 3 * (offsets[k, 0, y, x0] - 0.5)
    let ox = 3 * (offsets[k, 1, y, x0] - 0.5)
    in mask[k, y, x0] * bilinear x[ch] (f32.i64 (y + k/3 - 1) + oy) (f32.i64 (x0 + k%3 - 1) + ox))
  let leaky v = if v > 0 then v else 0.1 * v
  let out = map2 (\wr b -> map (\col -> leaky (b + f32.sum (map2 (\a v -> (a - 0.5) * v) wr col))) cols) wt bias
  in map unflatten out
