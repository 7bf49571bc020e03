-- Linkage disequilibrium: r^2 of every variant with the next ones, haplotypes as bit vectors; then how many are in strong linkage.
def count [w] (xs: [w]u64) : i64 = i64.i32 (i32.sum (map u64.popc xs))

def main [s] [w] (window: i64) (raw: [s][w]u64) : ([s][window]f32, [s]i16, f64) =
  -- neighbouring variants share most of their bits
  let haps =
    tabulate_2d s w (\i j ->
      let a = raw[i / 8 * 8, j]
      let noise = raw[i, j] & raw[(i + 1) % s, j] & raw[(i + 3) % s, j]
      in a ^ noise)
  let ones = map count haps
  let n = w * 64
  let r2 i d =
    let k = i + d + 1
    in if k >= s then 0
       else
         let both = i64.i32 (i32.sum (map2 (\a b -> u64.popc (a & b)) haps[i] haps[k]))
         let p = ones[i]
         let q = ones[k]
         let den = f64.i64 (p * (n - p)) * f64.i64 (q * (n - q))
         let num = f64.i64 (both * n - p * q)
         in if den == 0 then 0 else f32.f64 (num * num / den)
  let table = tabulate_2d s window r2
  let strong = map (\row -> i16.i64 (i64.sum (map (\x -> i64.bool (x > 0.2)) row))) table
  in (table, strong, f64.sum (map f64.f32 (flatten table)) / f64.i64 s)
