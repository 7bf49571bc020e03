-- Difference of two Gaussians of 8-bit pixels.
def g7 : [7]f32 = [0.006, 0.061, 0.242, 0.382, 0.242, 0.061, 0.006]
def g11 : [11]f32 = [0.0088, 0.0271, 0.0651, 0.1216, 0.1769, 0.2005, 0.1769, 0.1216, 0.0651, 0.0271, 0.0088]
def clamp lo hi (x: i64) = i64.max lo (i64.min hi x)
def conv [h][w][k] (taps: [k]f32) (a: [h][w]f32) : [h][w]f32 =
  let rows = tabulate_2d h w (\y x -> reduce (+) 0 (map2 (\t i -> t * a[y, clamp 0 (w-1) (x+i-k/2)]) taps (iota k)))
  in tabulate_2d h w (\y x -> reduce (+) 0 (map2 (\t i -> t * rows[clamp 0 (h-1) (y+i-k/2), x]) taps (iota k)))
entry main [h][w] (img: [h][w]u8) : [h][w]u8 =
  let f = map (map f32.u8) img
  let a = conv g7 f
  let b = conv g11 f
  in map2 (map2 (\x y -> u8.f32 (f32.max 0 (f32.min 255 (128 + 4*(x-y)))))) a b
