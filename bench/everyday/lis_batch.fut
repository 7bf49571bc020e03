-- Length of the longest increasing subsequence of each row by patience piles, and of the longest decreasing one.
def lis [l] (xs: [l]i32) : i32 =
  let (_, len) =
    loop (piles, len) = (replicate l 0i32, 0i32) for x in xs do
      -- the first pile whose top is not less than x
      let (lo, _) = loop (lo, hi) = (0i32, len) while lo < hi do
        let mid = (lo + hi) / 2
        in if piles[mid] < x then (mid + 1, hi) else (lo, mid)
      in (piles with [lo] = x, if lo == len then len + 1 else len)
  in len

entry main [n] [l] (rows: [n][l]i32) : ([n]i32, [n]i32, i32) =
  let up = map lis rows
  let down = map (\r -> lis (map i32.neg r)) rows
  in (up, down, reduce i32.max 0 (map2 i32.min up down))
