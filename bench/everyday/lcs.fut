-- Longest common subsequence, row by row with a scan of maxima.
entry main [n] (a: [n]u8) (b: [n]u8) : i32 =
  let row = loop row = replicate (n+1) 0i32 for i < n do
    let cand = tabulate (n+1) (\j -> if j == 0 then 0 else i32.max row[j] (if a[i] & 3 == b[j-1] & 3 then row[j-1] + 1 else 0))
    in scan i32.max 0 cand
  in row[n]
