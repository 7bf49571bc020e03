-- Kernels that leave several stages' images.
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

def blurred [n][m] (f: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\y x -> f[clamp n (y - 1), x] + 2 * f[y, x] + f[clamp n (y + 1), x])

-- The first is read in windows by the second, and returned, too.
entry both [n][m] (img: [n][m]f32) =
  let a = blurred img
  let b = tabulate_2d n m (\y x -> a[y, clamp m (x - 1)] - a[y, clamp m (x + 1)])
  in (a, b)

-- Sums and their weights, as long as the loop runs: a stage of two results, one of which goes on.
entry accumulated [n][m] (img: [3][n][m]f32) (steps: i64) =
  loop (sums, weights) = (replicate 3 (replicate n (replicate m 0)), replicate n (replicate m 0)) for d < steps do
    let difference = tabulate_2d n (m + 2) (\y x -> img[0, y, clamp m (x - 1)] - img[0, clamp n (y + d), clamp m (x - 1)])
    let weight = tabulate_2d n m (\y x -> f32.sum (map (\i -> difference[y, x + i] * difference[y, x + i]) (iota 3)))
    in (tabulate_3d 3 n m (\c y x -> sums[c, y, x] + weight[y, x] * img[c, y, x]), map2 (map2 (+)) weights weight)

-- Larger than the last one.
entry larger [n][m] (img: [n][m]f32) =
  let a = blurred img
  in (a, tabulate_2d (n - 1) m (\y x -> a[y, x] + a[y + 1, x]))

-- Half as large, and twice.
entry halved [n][m] (img: [n][m]f32) =
  let a = blurred img
  in (a, tabulate_2d (n / 2) (m / 2) (\y x -> a[2 * y, 2 * x] + a[2 * y + 1, 2 * x] + a[2 * y, 2 * x + 1]))
entry doubled [n][m] (img: [n][m]f32) =
  let half = tabulate_2d (n / 2 + 1) (m / 2 + 1) (\y x -> img[clamp n (2 * y), clamp m (2 * x)] + img[clamp n (2 * y + 1), clamp m (2 * x)])
  in (half, tabulate_2d n m (\y x -> img[y, x] - half[y / 2, x / 2] - half[y / 2, (x + 1) / 2]))

-- A column beside the image; without columns it is there, too.
entry column [n][m] (img: [n][m]f32) (first: [n]f32) =
  let a = tabulate n (\y -> f32.sqrt (first[clamp n (y - 1)] + first[y]))
  in (a, tabulate_2d n m (\y x -> img[y, x] * (a[clamp n (y - 1)] + a[clamp n (y + 1)])))

-- Tiles along the diagonal do not cover it.
entry diagonal [n] (img: [n][n]f32) =
  let a = blurred img
  in (a, tabulate n (\i -> a[i, i] + a[i, clamp n (i + 1)]))

-- Read by an operation that another stage waits for.
entry in_turn [n][m] (img: [n][m]f32) =
  let a = blurred img
  let s = f32.sum (flatten a)
  in (a, tabulate_2d n m (\y x -> a[y, x] + s * a[clamp n (y + 1), x]))

-- Read where the data say, in other tiles, too.
entry far [n][m] (img: [n][m]f32) =
  let a = blurred img
  in tabulate_2d n m (\y x -> let d = i64.f32 a[y, x] in a[y, x] + a[clamp n (y + d), x])
