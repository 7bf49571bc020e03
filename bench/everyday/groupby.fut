-- Sums, least and greatest of values by key.
def main [n] (k: i64) (keys: [n]i32) (xs: [n]f32) : ([k]f32, [k]f32, [k]f32, [k]i32) =
  let ks = map (\q -> i64.i32 q % k) keys
  in (reduce_by_index (replicate k 0) (+) 0 ks xs,
      reduce_by_index (replicate k f32.inf) f32.min f32.inf ks xs,
      reduce_by_index (replicate k (-f32.inf)) f32.max (-f32.inf) ks xs,
      reduce_by_index (replicate k 0) (+) 0 ks (replicate n 1))
