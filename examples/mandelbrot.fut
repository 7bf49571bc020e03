-- The Mandelbrot set: how many steps each point of a picture takes to escape, up to a limit. Numbers are in fixed point with
-- 28 fraction bits, so that every machine counts alike; in floating point a contracted multiply-add changes counts.
-- ==
-- entry: main
--
-- input { 0i64 0i64 10 } output { empty([0][0]i32) }
-- input { 0i64 3i64 10 } output { empty([0][3]i32) }
-- input { 3i64 0i64 10 } output { empty([3][0]i32) }
-- input { 1i64 1i64 10 } output { [[1]] }
-- input { 3i64 3i64 0 } output { [[0, 0, 0], [0, 0, 0], [0, 0, 0]] }
-- input { 4i64 4i64 50 }
-- output { [[1, 1, 1, 1], [1, 2, 4, 2], [1, 50, 50, 5], [1, 2, 4, 2]] }
--
-- input { 37i64 41i64 100 } auto output
-- input { 257i64 1i64 255 } auto output
-- input { 128i64 96i64 300 } auto output
--
-- notest input { 2048i64 2048i64 256 } auto output

def one : i64 = 1 << 28

def times (a: i64) (b: i64) : i64 = (a * b) >> 28

-- Steps until z leaves the circle of radius 2. As |z| stays below 16, no product overflows.
def escape (limit: i32) (cx: i64) (cy: i64) : i32 =
  let (_, _, steps) =
    loop (x, y, n) = (0, 0, 0) while n < limit && times x x + times y y <= 4 * one do
      (times x x - times y y + cx, 2 * times x y + cy, n + 1)
  in steps

-- The picture shows -2.5 to 1.5 across and -2 to 2 down.
entry main (h: i64) (w: i64) (limit: i32) : [h][w]i32 =
  let dy = 4 * one / i64.max 1 h
  let dx = 4 * one / i64.max 1 w
  in tabulate_2d h w (\i j -> escape limit (j * dx - 5 * one / 2) (i * dy - 2 * one))
