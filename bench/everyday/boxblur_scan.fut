-- A wide box blur by prefix sums of rows, then of columns.
def blur [n] (r: i64) (row: [n]f32) : [n]f32 =
  let s = scan (+) 0 row
  in map (\i ->
    let hi = i64.min (n-1) (i + r) let lo = i - r - 1
    in (s[hi] - (if lo < 0 then 0 else s[lo])) / f32.i64 (hi - i64.max (-1) lo)) (iota n)
def main [h][w] (r: i64) (img: [h][w]f32) : [h][w]f32 =
  transpose (map (blur r) (transpose (map (blur r) img)))
