-- Bracketed exposures merged to radiance (hat weights, a known response), then Drago's adaptive logarithmic mapping with its log average and maximum.
def response (v: u8): f32 = let x = (f32.u8 v + 0.5) / 256 in x * x * (0.7 + 0.3 * x)

def hat (v: u8): f32 = 1 + f32.u8 (u8.min v (255 - v))

def merge [k] (vals: [k]u8): f32 =
  let time i = 0.5f32 ** f32.i64 i
  let parts = map2 (\i v -> (hat v * response v / time i, hat v)) (iota k) vals
  let (num, den) = reduce_comm (\a b -> (a.0 + b.0, a.1 + b.1)) (0, 0) parts
  in num / den

entry main [k][h][w] (bias: f32) (shots: [k][h][w][3]u8): ([h][w][3]f32, f32, f32) =
  let radiance = tabulate_3d h w 3 (\y x c -> merge shots[:, y, x, c])
  let lum (p: [3]f32) = 0.2126*p[0] + 0.7152*p[1] + 0.0722*p[2]
  let ls = map (map lum) radiance
  let logavg = f32.exp (f32.sum (map (\l -> f32.log (l + 1e-4)) (flatten ls)) / f32.i64 (h*w))
  let top = f32.maximum (flatten ls) / logavg
  let expo = f32.log bias / f32.log 0.5
  let map_pixel p l =
    let lw = l / logavg
    let ld = f32.log (1 + lw) / (f32.log10 (1 + top) * f32.log (2 + 8 * (lw / top) ** expo))
    in map (\c -> f32.min 1 (f32.max 0 (c / (l + 1e-4) * ld))) p
  in (map2 (map2 map_pixel) radiance ls, logavg, top)
