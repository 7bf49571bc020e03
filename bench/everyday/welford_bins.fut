-- Statistics of groups in one histogram of tuples: count, mean, sum of squared deviations, least and greatest, merged by Chan's formula.
module stats = {
  type t = (i32, f32, f32, f32, f32)
  def zero : t = (0, 0, 0, f32.highest, f32.lowest)
  def one (x: f32) : t = (1, x, 0, x, x)
  def merge ((n, m, s, a, b): t) ((n', m', s', a', b'): t) : t =
    if n == 0 then (n', m', s', a', b')
    else if n' == 0 then (n, m, s, a, b)
    else let k = f32.i32 (n + n')
         let d = m' - m
         in (n + n', m + d * f32.i32 n' / k, s + s' + d * d * f32.i32 n * f32.i32 n' / k, f32.min a a', f32.max b b')
}

entry main [n] (k: i64) (groups: [n]i32) (xs: [n]f32) : ([k]i32, [k]f32, [k]f32, [k]f32, [k]f32, f32) =
  let is = map (\g -> i64.i32 (g & 0x7fffffff) % k) groups
  let bins = reduce_by_index (replicate k stats.zero) stats.merge stats.zero is (map stats.one xs)
  let (total, _, within, _, _) =
    reduce stats.merge stats.zero (map (\(c, m, s, a, b) -> (c, m, s, a, b)) bins)
  let spread = map (\(c, _, s, _, _) -> if c < 2 then 0 else f32.sqrt (s / f32.i32 (c - 1))) bins
  let range = map (\(c, _, _, a, b) -> if c == 0 then 0 else b - a) bins
  let z =
    map2 (\i x -> let (_, m, _, _, _) = bins[i] in f32.abs (x - m) / (spread[i] + 0.1)) is xs
  let worst = reduce_by_index (replicate k 0) f32.max 0 is z
  in (map (.0) bins, map (.1) bins, spread, range, worst, within / f32.i32 total)
