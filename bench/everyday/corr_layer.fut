-- A correlation layer of half-precision features: for each displacement of a square window the mean product over the channels, leaky relu, and the best cost.
def pick [c][h][w] (f: [c][h][w]f16) (ch: i64) (y: i64) (x: i64): f32 =
  if y < 0 || y >= h || x < 0 || x >= w then 0 else f32.f16 f[ch, y, x]

entry main [c][h][w] (r: i64) (a: [c][h][w]f16) (b: [c][h][w]f16)
  : ([(2 * r + 1) * (2 * r + 1)][h][w]f32, [h][w]f32) =
  let side = 2 * r + 1
  let norm = 1 / f32.i64 c
  let centred (f: [c][h][w]f16): [c][h][w]f16 = map (map (map (\v -> v - 0.5))) f
  let (p, q) = (centred a, centred b)
  let cost =
    tabulate_3d (side * side) h w (\k y x ->
      let (dy, dx) = (k / side - r, k % side - r)
      let dot = f32.sum (map (\ch -> f32.f16 p[ch, y, x] * pick q ch (y + dy) (x + dx)) (iota c))
      let v = dot * norm
      in if v > 0 then v else 0.1 * v)
  let best = tabulate_2d h w (\y x -> f32.maximum cost[:, y, x])
  in (cost, best)
