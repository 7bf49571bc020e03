-- Edit distance of many pairs of words.
entry main [n][m] (a: [n][m]u8) (b: [n][m]u8) : [n]i32 =
  map2 (\a b ->
    let row = loop row = map i32.i64 (iota (m+1)) for i < m do
      let new = replicate (m+1) (i32.i64 (i+1))
      in loop new for j < m do
         let c = if a[i] & 7 == b[j] & 7 then 0 else 1
         in new with [j+1] = i32.min (row[j] + c) (1 + i32.min row[j+1] new[j])
    in row[m]) a b
