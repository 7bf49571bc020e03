-- One-hot and confusion: how often each pair of classes, and rows normalized.
def main [n] (k: i64) (ys: [n]i32) (ps: [n]i32) : ([k][k]f32, f32) =
  let a = map (\y -> i64.i32 y % k) ys
  let b = map (\y -> i64.i32 y % k) ps
  let c = unflatten (reduce_by_index (replicate (k*k) 0i32) (+) 0 (map2 (\y p -> y*k + p) a b) (replicate n 1))
  let norm = map (\r -> let s = i32.sum r in map (\x -> f32.i32 x / f32.i32 (i32.max 1 s)) r) c
  in (norm, f32.sum (map (\i -> f32.i32 c[i,i]) (iota k)) / f32.i64 n)
