-- From a raw sensor's picture to colours, as Halide's app: hot pixels, demosaicing, colour matrix, tone curve,
-- sharpening; 16-bit integers. Parameters are the app's: 3700 K, gamma 2, contrast 50, strength 1, black 25, white
-- 1023.
type plane [h] [w] = [h][w]u16

def average (a: u16) (b: u16) : u16 = u16.u32 ((u32.u16 a + u32.u16 b + 1) / 2)
def average8 (a: u8) (b: u8) : u8 = u8.u32 ((u32.u8 a + u32.u8 b + 1) / 2)
def distance (a: u16) (b: u16) : u16 = if a > b then a - b else b - a

-- raw's pixel (12, 16) is the origin; the result begins six pixels before it.
def denoised [h] [w] (n: i64) (m: i64) (raw: [h][w]u16) : plane [n + 12] [m + 12] =
  tabulate_2d (n + 12) (m + 12) (\y x ->
    let at dy dx = raw[y + 6 + dy, x + 10 + dx]
    in u16.min (at 0 0) (u16.max (u16.max (at 0 (-2)) (at 0 2)) (u16.max (at (-2) 0) (at 2 0))))

-- Red, green and blue at each pixel, from two pixels before the origin on. Within, planes of the four colours of the
-- pattern have half the resolution: green in red's rows, red, blue, green in blue's rows.
def demosaiced [n] [m] (raw: plane [n] [m]) : (plane [n - 8] [m - 8], plane [n - 8] [m - 8], plane [n - 8] [m - 8]) =
  let (h, w) = (n / 2, m / 2)
  let phase py px = tabulate_2d h w (\y x -> raw[2 * y + py, 2 * x + px])
  let gr = phase 0 0
  let r = phase 0 1
  let b = phase 1 0
  let gb = phase 1 1
  -- Green at red and blue pixels: along the direction in which it changes less.
  let g_r = tabulate_2d (h - 2) (w - 2) (\i j ->
    let (y, x) = (i + 1, j + 1)
    in if distance gr[y, x + 1] gr[y, x] < distance gb[y - 1, x] gb[y, x]
       then average gr[y, x + 1] gr[y, x]
       else average gb[y - 1, x] gb[y, x])
  let g_b = tabulate_2d (h - 2) (w - 2) (\i j ->
    let (y, x) = (i + 1, j + 1)
    in if distance gb[y, x - 1] gb[y, x] < distance gr[y + 1, x] gr[y, x]
       then average gb[y, x - 1] gb[y, x]
       else average gr[y + 1, x] gr[y, x])
  let inner f = tabulate_2d (h - 4) (w - 4) (\y x -> f (y + 2) (x + 2))
  let green_r y x = g_r[y - 1, x - 1]
  let green_b y x = g_b[y - 1, x - 1]
  -- Red and blue elsewhere: the mean of two neighbours, corrected by how green differs there.
  let r_gr = inner (\y x -> gr[y, x] - average (green_r y x) (green_r y (x - 1)) + average r[y, x - 1] r[y, x])
  let b_gr = inner (\y x -> gr[y, x] - average (green_b y x) (green_b (y - 1) x) + average b[y, x] b[y - 1, x])
  let r_gb = inner (\y x -> gb[y, x] - average (green_r y x) (green_r (y + 1) x) + average r[y, x] r[y + 1, x])
  let b_gb = inner (\y x -> gb[y, x] - average (green_b y x) (green_b y (x + 1)) + average b[y, x] b[y, x + 1])
  let r_b = inner (\y x ->
    if distance r[y, x] r[y + 1, x - 1] < distance r[y, x - 1] r[y + 1, x]
    then green_b y x - average (green_r y x) (green_r (y + 1) (x - 1)) + average r[y, x] r[y + 1, x - 1]
    else green_b y x - average (green_r y (x - 1)) (green_r (y + 1) x) + average r[y, x - 1] r[y + 1, x])
  let b_r = inner (\y x ->
    if distance b[y, x] b[y - 1, x + 1] < distance b[y, x + 1] b[y - 1, x]
    then green_r y x - average (green_b y x) (green_b (y - 1) (x + 1)) + average b[y, x] b[y - 1, x + 1]
    else green_r y x - average (green_b y (x + 1)) (green_b (y - 1) x) + average b[y, x + 1] b[y - 1, x])
  let interleaved ee eo oe oo = tabulate_2d (n - 8) (m - 8) (\y x ->
    let pick (p: [][]u16) = p[y / 2, x / 2]
    in if y % 2 == 0
       then if x % 2 == 0 then pick ee else pick eo
       else if x % 2 == 0 then pick oe else pick oo)
  in (interleaved r_gr (inner (\y x -> r[y, x])) r_b r_gb,
      interleaved (inner (\y x -> gr[y, x])) (inner green_r) (inner green_b) (inner (\y x -> gb[y, x])),
      interleaved b_gr b_r (inner (\y x -> b[y, x])) b_gb)

def matrix_3200 : [3][4]f32 =
  [[1.6697, -0.2693, -0.4004, -42.4346], [-0.3576, 1.0615, 1.5949, -37.1158], [-0.2175, -1.8751, 6.9640, -26.6970]]
def matrix_7000 : [3][4]f32 =
  [[2.2997, -0.4478, 0.1706, -39.0923], [-0.3826, 1.5906, -0.2080, -25.4311], [-0.0888, -0.7344, 2.2832, -20.0826]]

-- Between two lights' matrices, in steps of 1/256.
def colour_matrix (kelvin: f32) : [3][4]i32 =
  let alpha = (1 / kelvin - 1 / 3200) / (1f32 / 7000 - 1f32 / 3200)
  in map2 (map2 (\a b -> i32.i16 (i16.f32 ((a * alpha + b * (1 - alpha)) * 256)))) matrix_3200 matrix_7000

def tone_curve (gamma: f32) (contrast: f32) (black: i32) (white: i32) : [1024]u8 =
  let b = 2 - 2 ** (contrast / 100)
  let a = 2 - 2 * b
  in tabulate 1024 (\i ->
       let x = i32.i64 i
       let linear = f32.max 0 (f32.min 1 (f32.i32 (x - black) * (1 / f32.i32 (white - black))))
       let g = linear ** (1 / gamma)
       let z = if g > 0.5 then 1 - (a * (1 - g) * (1 - g) + b * (1 - g)) else a * g * g + b * g
       in if x <= black then 0 else if x > white then 255 else u8.f32 (f32.max 0 (f32.min 255 (z * 255 + 0.5))))

-- The result has one pixel less on each side.
def sharpened [h] [w] (strength: i16) (img: [h][w]u8) : [h - 2][w - 2]u8 =
  let blur a b c = average8 (average8 a c) b
  let blur_y = tabulate_2d (h - 2) w (\y x -> blur img[y, x] img[y + 1, x] img[y + 2, x])
  let blurred = tabulate_2d (h - 2) (w - 2) (\y x -> blur blur_y[y, x] blur_y[y, x + 1] blur_y[y, x + 2])
  in tabulate_2d (h - 2) (w - 2) (\y x ->
       let v = i16.u8 img[y + 1, x + 1]
       let mask = v - i16.u8 blurred[y, x]
       in u8.i16 (i16.max 0 (i16.min 255 (v + mask * strength / 32))))

entry main [h] [w] (raw: [h][w]u16) : [3][][]u8 =
  let n = (h - 24) / 32 * 32
  let m = (w - 32) / 32 * 32
  let (red, green, blue) = demosaiced (denoised n m raw)
  let matrix = colour_matrix 3700
  let curve = tone_curve 2 50 25 1023
  let curved = map (\row ->
    tabulate_2d (n + 2) (m + 2) (\y x ->
      let at (p: [][]u16) = i32.i16 (i16.u16 p[y + 1, x + 1])
      let v = i16.i32 ((row[3] + row[0] * at red + row[1] * at green + row[2] * at blue) / 256)
      in curve[i64.max 0 (i64.min 1023 (i64.i16 v))])) matrix
  in map (sharpened 32) curved
