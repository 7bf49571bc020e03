-- A dozen stages of photo retouching in fixed point: YCbCr in 16 bits, 31-tap blur in two passes, coring, histogram to a curve, chroma smoothing, sharpening.
type px = (i16, i16, i16)

def sat (v: i32): i32 = i32.max 0 (i32.min 255 v)

def to_ycc (p: [3]u8): px =
  let (r, g, b) = (i32.u8 p[0], i32.u8 p[1], i32.u8 p[2])
  in ( i16.i32 ((77 * r + 150 * g + 29 * b) >> 8)
     , i16.i32 ((-43 * r - 85 * g + 128 * b) >> 8)
     , i16.i32 ((128 * r - 107 * g - 21 * b) >> 8) )

def to_rgb ((y, cb, cr): px): [3]u8 =
  let (y, cb, cr) = (i32.i16 y, i32.i16 cb, i32.i16 cr)
  in map (\v -> u8.i32 (sat v)) [y + ((359 * cr) >> 8), y - ((88 * cb + 183 * cr) >> 8), y + ((454 * cb) >> 8)]

def fold_at (n: i64) (i: i64): i64 = let i = i64.abs i in if i < n then i else i64.max 0 (2 * n - 2 - i)

-- 31 taps of a triangle, whose weights are 1 .. 16 .. 1 (sum 256).
def tent [n][m] (a: [n][m]i16): [n][m]i16 =
  tabulate_2d n m (\y x ->
    let s = loop s = 0i32 for k in -15i64...15 do s + i32.i64 (16 - i64.abs k) * i32.i16 a[y, fold_at m (x + k)]
    in i16.i32 ((s + 128) >> 8))

def core (t: i16) (d: i16): i16 = if d > t then d - t else if d < -t then d + t else 0

def mean9 [h][w] (a: [h][w]i16): [h][w]i16 =
  tabulate_2d h w (\y x ->
    (loop s = 0i16 for k < 9 do s + a[fold_at h (y + k / 3 - 1), fold_at w (x + k % 3 - 1)]) / 9)

entry main [h][w] (threshold: i16) (gain: i32) (image: [h][w][3]u8): [h][w][3]u8 =
  let (ys, cbs, crs) = unzip3 (map to_ycc (flatten image))
  let luma = unflatten ys
  let base = luma |> tent |> transpose |> tent |> transpose
  let detail = map2 (map2 (\y b -> core threshold (y - b))) luma base
  let lifted = map2 (map2 (\b d -> i16.i32 (sat (i32.i16 b + (gain * i32.i16 d) >> 6)))) base detail
  let bins = map i64.i16 (flatten lifted)
  let counts = reduce_by_index (replicate 256 0i64) (+) 0 bins (replicate (h * w) 1)
  let curve = scan (+) 0 counts |> map2 (\i c -> i16.i64 ((i * 192 + c * 255 / (h * w) * 64) / 256)) (iota 256)
  let toned = map (map (\v -> curve[i64.i16 v])) lifted
  let vivid c = mean9 (map (map (\v: i16 -> v + v / 4)) (unflatten c))
  let (cb, cr) = (vivid cbs :> [h][w]i16, vivid crs :> [h][w]i16)
  let sharp = tabulate_2d h w (\y x ->
    let at dy dx = i32.i16 toned[fold_at h (y + dy), fold_at w (x + dx)]
    let c = at 0 0
    in i16.i32 (sat (c + (4 * c - at (-1) 0 - at 1 0 - at 0 (-1) - at 0 1) / 8)))
  in map3 (map3 (\y b r -> to_rgb (y, b, r))) sharp cb cr
