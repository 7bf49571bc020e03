-- CSR by segments of a flat scan.
entry main [nnz][n] (row_of: [nnz]i32) (col: [nnz]i32) (vals: [nnz]f32) (x: [n]f32) : [n]f32 =
  reduce_by_index (replicate n 0) (+) 0 (map (\r -> i64.i32 r % n) row_of) (map2 (\c v -> v * x[i64.i32 c % n]) col vals)
