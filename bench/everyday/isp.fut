-- A camera's raw pipeline: 16-bit Bayer mosaic (any of four phases), black level, grey-world gains, bilinear demosaic, colour matrix, tone table.
def black: i32 = 64

-- Mirror about the edge pixel, which keeps the mosaic's phase.
def reflect (n: i64) (i: i64): i64 =
  let i = if i < 0 then -i else i
  in if i >= n then 2 * (n - 1) - i else i

def colour (phase: i64) (y: i64) (x: i64): i64 =
  (y + phase / 2) % 2 + (x + phase % 2) % 2

def add3 (a: (i64, i64, i64)) (b: (i64, i64, i64)) = (a.0 + b.0, a.1 + b.1, a.2 + b.2)

def tone: [4096]f32 =
  tabulate 4096 (\i -> let t = f32.i64 i / 4095
                       in if t < 0.0031308 then 12.92 * t else 1.055 * t ** (1 / 2.4) - 0.055)

def matrix: [3][3]i32 = [[1600, -400, -176], [-250, 1474, -200], [20, -420, 1424]]

def demosaic [h][w] (phase: i64) (raw: [h][w]i32) (y: i64) (x: i64): [3]i32 =
  let (sums, counts) =
    loop (sums, counts) = (replicate 3 0, replicate 3 0) for k < 9 do
      let (yy, xx) = (reflect h (y + k / 3 - 1), reflect w (x + k % 3 - 1))
      let c = colour phase yy xx
      let weight = (if k / 3 == 1 then 2 else 1) * (if k % 3 == 1 then 2 else 1)
      in (sums with [c] = sums[c] + weight * raw[yy, xx], counts with [c] = counts[c] + weight)
  in map2 (\s n -> s / i32.max 1 n) sums counts

entry main [h][w] (phase: i64) (mosaic: [h][w]u16): [h][w][3]f32 =
  let raw = map (map (\p -> i32.max 0 (i32.u16 (p >> 4) - black))) mosaic
  let (r, g, b) =
    tabulate_2d h w (\y x -> let v = i64.i32 raw[y, x]
                             in match colour phase y x
                                case 0 -> (v, 0, 0)
                                case 1 -> (0, v, 0)
                                case _ -> (0, 0, v))
    |> flatten |> reduce add3 (0, 0, 0)
  let gain s = i32.i64 (i64.min 4096 (512 * g / i64.max 1 s))
  let gains = [gain r, 1024, gain b]
  let balanced = tabulate_2d h w (\y x -> (raw[y, x] * gains[colour phase y x]) >> 10)
  in tabulate_2d h w (\y x ->
       let rgb = demosaic phase balanced y x
       in map (\row -> let v = reduce (+) 0 (map2 (*) row rgb) >> 10
                       in tone[i64.i32 (i32.max 0 (i32.min 4095 v))]) matrix)
