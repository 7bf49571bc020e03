-- Bags of embeddings.
entry main [n][l][v][d] (ids: [n][l]i32) (table: [v][d]f32) : [n][d]f32 =
  map (\r -> let rows = map (\i -> table[i64.i32 (i32.abs i) % v]) r in map (\k -> f32.sum (map (\row -> row[k]) rows) / f32.i64 l) (iota d)) ids
