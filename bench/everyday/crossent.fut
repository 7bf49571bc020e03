entry main [n][k] (logits: [n][k]f32) (y: [n]i32) : f32 =
  f32.sum (map2 (\r y -> let m = f32.maximum r in f32.log (f32.sum (map (\v -> f32.exp (v-m)) r)) + m - r[i64.i32 (i32.abs y) % k]) logits y) / f32.i64 n
