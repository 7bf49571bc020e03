-- Bertsekas' auction for the assignment problem: free persons bid in parallel for their best object, highest bid by index wins, prices rise.
def pick2 (a: i64, i: i64, b: i64) (c: i64, j: i64, d: i64) =
  if c > a || (c == a && j < i) then (c, j, i64.max a d) else (a, i, i64.max b c)

entry main [n] (maxrounds: i32) (worth: [n][n]u8) : ([n]i64, i64, i32) =
  let low = -1 << 50
  let eps = 40i64
  let value = map (map (\w -> i64.u8 w * 100)) worth
  let (own, obj, _, rounds) =
    loop (own, obj, price, t) = (replicate n (-1i64), replicate n (-1i64), replicate n 0i64, 0)
    while t < maxrounds && any (< 0) obj do
      let bids = map2 (\o row ->
        if o >= 0 then (-1, -1)
        else let (b, j, s) = reduce pick2 (low, n, low) (map3 (\v p j -> (v - p, j, low)) row price (iota n))
             let s = if n == 1 then b else s
             in (j, price[j] + b - s + eps)) obj value
      let coded = map2 (\(_, b) i -> b * 65536 + i) bids (iota n)
      let won = reduce_by_index (replicate n i64.lowest) i64.max i64.lowest (map (.0) bids) coded
      let winner = map (\w -> if w < 0 then -1 else w % 65536) won
      let price = map2 (\p w -> if w < 0 then p else w / 65536) price won
      let losers = map2 (\w o -> if w >= 0 then o else -1) winner own
      let obj = scatter (scatter obj losers (replicate n (-1))) winner (iota n)
      let own = map2 (\w o -> if w >= 0 then w else o) winner own
      in (own, obj, price, t + 1)
  let total = i64.sum (map2 (\j row -> if j < 0 then 0 else row[j] / 100) obj value)
  in (own, total, rounds)
