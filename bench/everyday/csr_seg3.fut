-- A sparse matrix of ragged rows by three vectors at once: one segmented scan of tuples.
def segmented [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  let step (f, a) (g, b) = (f || g, if g then b else op a b)
  in map (.1) (scan step (false, ne) (zip flags xs))

entry main [m][n] (heads: [m]u8) (cols: [m]i32) (vals: [m]f32) (x: [n][3]f32) : ([]f32, []f32, []f32, i64) =
  let start = map2 (\i h -> i == 0 || h < 20) (iota m) heads
  let plus (a: f32, b: f32, c: f32, k: i32) (d, e, f, l) = (a + d, b + e, c + f, k + l)
  let products = map2 (\c v -> let j = i64.i32 (c & 0x7fffffff) % n in (v * x[j, 0], v * x[j, 1], v * x[j, 2], 1i32)) cols vals
  let sums = segmented plus (0, 0, 0, 0) start products
  let row = scan (+) 0 (map i64.bool start)
  let rows = if m > 0 then row[m - 1] else 0
  let ends = map (\i -> if i == m - 1 || start[i + 1] then row[i] - 1 else -1) (iota m)
  let (p, q, r, k) = unzip4 (scatter (replicate rows (0, 0, 0, 0)) ends sums)
  in (p, q, r, i64.i32 (i32.maximum k))
