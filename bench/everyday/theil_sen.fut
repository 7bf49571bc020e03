-- Theil-Sen trend and intercept of every pixel's short series: medians of all pairwise slopes, by quickselect in scratch.
def select [m] (k: i64) (xs: *[m]f32) : f32 =
  let (xs, _, _) =
    loop (xs, lo, hi) = (xs, 0, m - 1) while lo < hi do
      let p = xs[(lo + hi) / 2]
      let (xs, i, j) =
        loop (xs, i, j) = (xs, lo, hi) while i <= j do
          let i = loop i while xs[i] < p do i + 1
          let j = loop j while xs[j] > p do j - 1
          in if i <= j
             then let a = xs[i]
                  let b = xs[j]
                  in (xs with [i] = b with [j] = a, i + 1, j - 1)
             else (xs, i, j)
      in if k <= j then (xs, lo, j) else if k >= i then (xs, i, hi) else (xs, k, k)
  in xs[k]

def trend [t] (ys: [t]f32) : (f32, f32) =
  let m = i64.max 1 (t * (t - 1) / 2)
  let (slopes, _) =
    loop (s, p) = (replicate m 0f32, 0) for i < t do
      loop (s, p) for d < t - 1 - i do
        let j = i + 1 + d
        in (s with [p] = (ys[j] - ys[i]) / f32.i64 (j - i), p + 1)
  let b = select (m / 2) slopes
  let a = select (t / 2) (map2 (\y i -> y - b * f32.i64 i) ys (iota t))
  in (a, b)

def main [t][h][w] (stack: [t][h][w]f32) : ([h][w]f32, [h][w]f32) =
  if t == 0 then (replicate h (replicate w 0), replicate h (replicate w 0))
  else unzip (map unzip (tabulate_2d h w (\y x -> trend stack[:, y, x])))
