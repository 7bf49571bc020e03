-- The papers' pipelines as they draw them, for tests/frontend_bridge/stages_test.cpp. papers.fut_gpu is their dump without the host's
-- fusion, futhark dev -e --inline-conservatively -e --inline-aggressively -e --cse -e --remove-dead-functions --extract-kernels -e,
-- with results named by hand.

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)
def at [h] [w] 't (img: [h][w]t) (y: i64) (x: i64) : t = #[unsafe] img[clamp h y, clamp w x]

def image 't (h: i64) (w: i64) (f: i64 -> i64 -> t) : [h][w]t = tabulate_2d h w f

#[inline]
def gauss [h] [w] (img: [h][w]f32) : [h][w]f32 =
  image h w (\y x ->
    let row y = at img y (x - 1) + 2 * at img y x + at img y (x + 1)
    in (row (y - 1) + 2 * row y + row (y + 1)) / 16)

#[inline]
def derivative_x [h] [w] (img: [h][w]f32) : [h][w]f32 =
  image h w (\y x ->
    let row y = at img y (x + 1) - at img y (x - 1)
    in row (y - 1) + 2 * row y + row (y + 1))

#[inline]
def derivative_y [h] [w] (img: [h][w]f32) : [h][w]f32 =
  image h w (\y x ->
    let column x = at img (y + 1) x - at img (y - 1) x
    in column (x - 1) + 2 * column x + column (x + 1))

-- Hipacc. Products take two operations, as in the thesis' example: they are scaled.
#[inline]
def product [h] [w] (f: [h][w]f32) (g: [h][w]f32) : [h][w]f32 = map2 (map2 (\a b -> a * b * 0.015625)) f g

entry harris [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let dx = derivative_x img
  let dy = derivative_y img
  let sx = product dx dx
  let sxy = product dx dy
  let sy = product dy dy
  let gx = gauss sx
  let gxy = gauss sxy
  let gy = gauss sy
  in map3 (map3 (\a b c -> a * b - c * c - 0.04 * (a + b) * (a + b))) gx gy gxy

entry sobel [h] [w] (img: [h][w]f32) : [h][w]f32 =
  map2 (map2 (\a b -> f32.sqrt (a * a + b * b))) (derivative_x img) (derivative_y img)

entry unsharp [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let blur = gauss img
  let high = map2 (map2 (-)) img blur
  let scaled = map2 (map2 (\v d -> v * d)) img high
  in map2 (map2 (\v d -> f32.max 0 (v + d))) img scaled

entry enhance [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let blur = gauss img
  let gamma = map (map (\v -> v ** 0.45)) blur
  in map (map (\v -> f32.max 0 (f32.min 1 (v * 1.2 - 0.1)))) gamma

-- A bilateral filter over 3x3 pixels that lie `step` apart.
#[inline]
def atrous [h] [w] (step: i64) (img: [h][w]f32) : [h][w]f32 =
  image h w (\y x ->
    let v = at img y x
    let (sum, weights) =
      loop (sum, weights) = (0, 0) for i < 3 do
        loop (sum, weights) for j < 3 do
          let p = at img (y + (i - 1) * step) (x + (j - 1) * step)
          let weight = 1 / (1 + (p - v) * (p - v))
          in (sum + weight * p, weights + weight)
    in sum / weights)

entry night [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let near = atrous 1 img
  let far = atrous 2 near
  in map (map (\v -> v * (1.33 * (1 + v) - 1.68) * f32.exp (-v))) far

-- PolyMage's unsharp mask, of one plane.
entry unsharp_mask [h] [w] (img: [h][w]f32) : [][]f32 =
  let five f : f32 = (f 0 + f 1 * 4 + f 2 * 6 + f 3 * 4 + f 4) * 0.0625
  let blurx = image (h - 4) w (\y x -> #[unsafe] five (\d -> img[y + d, x]))
  let blury = image (h - 4) (w - 4) (\y x -> #[unsafe] five (\d -> blurx[y, x + d]))
  let sharpen = image (h - 4) (w - 4) (\y x -> #[unsafe] img[y + 2, x + 2] * 4 - blury[y, x] * 3)
  in image (h - 4) (w - 4) (\y x -> #[unsafe]
       let v = img[y + 2, x + 2]
       in if f32.abs (v - blury[y, x]) < 0.001 then v else sharpen[y, x])

-- Two levels down, and up again with the details of each.
#[inline]
def down [h] [w] (img: [h][w]f32) : [h / 2][w / 2]f32 =
  image (h / 2) (w / 2) (\y x ->
    let row y = at img y (2 * x - 1) + 2 * at img y (2 * x) + at img y (2 * x + 1)
    in (row (2 * y - 1) + 2 * row (2 * y) + row (2 * y + 1)) / 16)

#[inline]
def up [n] [m] (h: i64) (w: i64) (img: [n][m]f32) : [h][w]f32 =
  image h w (\y x ->
    let row y = at img y (x / 2) + at img y ((x + 1) / 2)
    in (row (y / 2) + row ((y + 1) / 2)) / 4)

entry pyramid [h] [w] (img: [h][w]f32) : [h][w]f32 =
  let half = down img
  let quarter = down half
  let blurred = up (h / 2) (w / 2) quarter
  let detailed = map2 (map2 (\a b -> a + 2 * (a - b))) half blurred
  let large = up h w detailed
  in map2 (map2 (\a b -> a + b)) img large

-- Sioutas' example of nested fusion: sums over a row of each colour, their sum and four times the first colour twice, a sum over a column.
entry kwz [h] [w] (e: [3][h][w]f32) : [h][w]f32 =
  let k = tabulate_3d 3 h w (\c y x -> #[unsafe] e[c, y, clamp w (x - 1)] + e[c, y, x] + e[c, y, clamp w (x + 1)])
  let four = image h w (\y x -> #[unsafe] 4 * e[0, y, x])
  let all = image h w (\y x -> #[unsafe] k[0, y, x] + k[1, y, x] + k[2, y, x] + 2 * four[y, x])
  in image h w (\y x -> at all (y - 2) x + at all (y - 1) x + at all y x + at all (y + 1) x + at all (y + 2) x)
