-- What stands beyond the borders of what stages read of each other.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def at (n: i64) (i: i64) = if i < 0 then -1 - i else if i >= n then 2 * n - 1 - i else i

def cross [h][w] (f: i64 -> i64 -> i64) (a: [h][w]i32) : [h][w]i32 =
  tabulate_2d h w (\y x -> a[f h (y - 1), x] + 2 * a[f h (y + 1), x] - a[y, f w (x - 1)] * 3 + a[y, f w (x + 1)])

entry clamped [h][w] (a: [h][w]i32) = cross clamp (cross clamp (cross clamp a))
entry mirrored [h][w] (a: [h][w]i32) = cross at (cross at a)
entry both [h][w] (a: [h][w]i32) =
  let b = cross clamp a
  in tabulate_2d h w (\y x -> b[clamp h (y - 1), x] - b[at h (y + 1), x] + b[y, at w (x - 1)])

-- A torus read beyond a border, too: strips end with rows that no tile needs.
entry torus [h][w] (a: [h][w]i32) =
  let b = tabulate_2d h w (\y x -> a[y, x] + i32.i64 (y + 2 * x))
  let c = tabulate_2d h w (\y x -> b[y, clamp w (x + 1)] * 5)
  in tabulate_2d h w (\y x -> c[(y - 2) % h, x])

-- Neighbours among colours, which a tile has as a whole.
entry colours [h][w] (a: [h][w]i32) =
  let b = tabulate_3d h w 3 (\y x c -> a[clamp h (y - c), x] + i32.i64 c)
  let d = tabulate_3d h w 3 (\y x c -> b[y, x, clamp 3 (c - 1)] - b[clamp h (y + 1), x, clamp 3 (c + 1)])
  in tabulate_2d h w (\y x -> d[clamp h (y + 1), x, 0] + 10 * d[y, clamp w (x - 1), 1] + 100 * d[y, x, 2])

-- Tori that are written in several ways, under others that are none.
entry rotated [h][w] (a: [h][w]i32) =
  let lap (u: [h][w]i32) =
    map2 (map2 (\(a, b) (c, d, e) -> a + 2 * b - c * 3 + d + e * 5)) (map2 zip (rotate (-1) u) (rotate 1 u)) (map (\r -> zip3 (rotate (-2) r) (rotate 1 r) r) u)
  in lap (map2 (map2 (+)) (lap (lap a)) a)
entry around [h][w] (a: [h][w]i32) =
  let up n i = if i == 0 then n - 1 else i - 1
  let down n i = if i + 1 == n then 0 else i + 1
  let b = tabulate_2d h w (\y x -> a[up h y, x] - 2 * a[y, (x + 1) % w] + 7 * a[down h y, (x - 1 + w) % w])
  let c = tabulate_2d h w (\y x -> b[(y + h - 2) % h, up w x] + 3 * b[y, x])
  in tabulate_2d h w (\y x -> c[clamp h (y - 1), x] - c[y, (x + 2) % w] + c[down h y, clamp w (x + 1)])

-- Around smaller images, several times.
entry around_smaller [h][w] (a: [h][w]i32) =
  let b = tabulate_2d (2 * h + 1) (w + 3) (\y x -> a[(y - 1) % h, (x + 1) % w])
  let c = tabulate_2d (3 * h) (w + 3) (\y x -> b[y % (2 * h + 1), clamp (w + 3) (x - 1)] - b[(y + 2) % (2 * h + 1), x])
  in tabulate_2d (3 * h) (w + 3) (\y x -> c[(y + 1) % (3 * h), x] + c[y, (x - 1) % (w + 3)])
