-- The gradient of a table of embeddings: rows added where tokens say.
def main [n][d] (v: i64) (tokens: [n]i32) (dy: [n][d]f32) : [v][d]f32 =
  reduce_by_index (replicate v (replicate d 0)) (map2 (+)) (replicate d 0) (map (\t -> i64.i32 t % v) tokens) dy
