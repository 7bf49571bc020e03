-- How many rows end in each leaf of each tree: each tree reads all rows, each where the tree says.
entry leaves [t] [d] [n] [f] (k: i64) (questions: [t][d]i32) (rows: [n][f]i32) : [t][k]i32 =
  let leaf (qs: [d]i32) (row: [f]i32) =
    loop bits = 0i64 for l < d do bits * 2 + i64.bool (row[i64.i32 (qs[l] & 0x7fffffff) % f] > qs[l])
  in map (\qs -> reduce_by_index (replicate k 0i32) (+) 0 (map (\row -> leaf qs row % k) rows) (replicate n 1i32)) questions
