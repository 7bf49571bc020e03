-- Odd-even transposition of each row.
entry main [n][m] (a: [n][m]i32) : [n][m]i32 =
  map (\r -> loop r for i < i32.i64 m do
    tabulate m (\j -> let first = (i64.i32 i + j) % 2 == 0
                      in if first then if j+1 < m then i32.min r[j] r[j+1] else r[j]
                         else if j > 0 then i32.max r[j-1] r[j] else r[j])) a
