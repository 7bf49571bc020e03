-- y = Ax with A in unsorted-column COO sorted by row: products, a segmented scan by row change, one scatter of the row ends.
def segscan [n] (op: f64 -> f64 -> f64) (ne: f64) (fs: [n]bool) (xs: [n]f64) : [n]f64 =
  (unzip (scan (\(f1, a) (f2, b) -> (f1 || f2, if f2 then b else op a b)) (false, ne) (zip fs xs))).1

def main [z][n] (fill: i64) (steps: [z]u8) (cols: [z]u32) (vals: [z]f32) (x: [n]f32) : []f64 =
  if z == 0 || n == 0 then [] else
  let f = i32.i64 (i64.max 1 fill)
  let rows = scan (+) 0 (map (\s -> i64.bool (i32.u8 s % f == 0)) steps)
  let m = rows[z - 1] + 1
  let prod = map2 (\c v -> f64.f32 v * f64.f32 x[i64.u32 c % n]) cols vals
  let starts = tabulate z (\i -> i == 0 || rows[i] != rows[i - 1])
  let sums = segscan (+) 0 starts prod
  let dest = tabulate z (\i -> if i == z - 1 || rows[i + 1] != rows[i] then rows[i] else -1)
  in scatter (replicate m 0) dest sums
