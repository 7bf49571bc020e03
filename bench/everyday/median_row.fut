-- The median of each row by bisection of values.
def main [h][n] (xs: [h][n]f32) : [h]f32 =
  map (\r ->
    let (lo, hi) = loop (lo, hi) = (f32.minimum r, f32.maximum r) for _i < 24i32 do
      let mid = 0.5 * (lo + hi)
      let c = i64.sum (map (\x -> i64.bool (x <= mid)) r)
      in if 2*c >= n then (lo, mid) else (mid, hi)
    in hi) xs
