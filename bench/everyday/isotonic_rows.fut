-- Isotonic (non-decreasing) least-squares fit of every row by pooling adjacent violators on a private stack.
def pav [m] (ys: [m]f32) : ([m]f32, i64) =
  let (sums, counts, top) =
    loop (sums, counts, top) = (replicate m 0f32, replicate m 0i32, 0i64) for y in ys do
      let (s, c, top) =
        loop (s, c, top) = (y, 1i32, top)
        while top > 0 && sums[top - 1] * f32.i32 c > s * f32.i32 counts[top - 1] do
          (s + sums[top - 1], c + counts[top - 1], top - 1)
      in (sums with [top] = s, counts with [top] = c, top + 1)
  -- unpack the pools
  let (out, _) =
    loop (out, pos) = (replicate m 0f32, 0i64) for b < top do
      let mean = sums[b] / f32.i32 counts[b]
      let out = loop out for k < i64.i32 counts[b] do out with [pos + k] = mean
      in (out, pos + i64.i32 counts[b])
  in (out, top)

def main [n] [m] (slope: f32) (ys: [n][m]f32) : ([n][m]f32, f32) =
  let (fits, _) =
    unzip (map (\row -> pav (map2 (\i y -> y + slope * f32.i64 i / f32.i64 m) (iota m) row)) ys)
  let rise = map (\f -> last f - head f) fits
  in (fits, f32.sum rise / f32.i64 n)
