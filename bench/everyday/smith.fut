-- Smith and Waterman by antidiagonals.
entry main [n] (a: [n]u8) (b: [n]u8) : i32 =
  let (_, _, best) = loop (p2, p1, best) = (replicate (n+1) 0i32, replicate (n+1) 0i32, 0i32) for d < 2*n-1 do
    let cur = tabulate (n+1) (\i ->
      let j = d + 2 - i
      in if i < 1 || j < 1 || j > n then 0 else
         let m = if a[i-1] & 3 == b[j-1] & 3 then 3 else -3
         in i32.max 0 (i32.max (p2[i-1] + m) (i32.max (p1[i-1] - 2) (p1[i] - 2))))
    in (p1, cur, i32.max best (i32.maximum cur))
  in best
