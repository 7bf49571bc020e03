-- Trades joined with the latest quote of their symbol at or before them, and sums by symbol.
def last_not_after [n] (keys: [n]i64) (k: i64) : i64 =
  let step (base, len) =
    let half = len / 2
    in if keys[base + half] <= k then (base + half, len - half) else (base, half)
  let (base, _) = loop (b, l) = (0, n) while l > 1 do step (b, l)
  in if n > 0 && keys[base] <= k then base else -1

entry main [q][t] (symbols: i64) (tolerance: i64) (steps: [q]u8) (bids: [q]u8) (spreads: [q]u8) (sym: [t]i32) (when: [t]i32) (qty: [t]u8)
    : (i64, [symbols]i64, [symbols]i64, [symbols]i64) =
  let per = (q + symbols - 1) / symbols
  let clock = scan (+) 0 (map i64.u8 steps)
  -- quotes lie by symbol, each symbol's by time from zero
  let span = 256 * per + 1
  let key = map (\i -> let s = i / per in s * span + clock[i] - clock[s * per]) (iota q)
  let price i = 1000 + i64.u8 bids[i]
  let match_one s w n =
    let s = i64.i32 (s & 0x7fffffff) % symbols
    let at = i64.i32 (w & 0x7fffffff) % span
    let i = last_not_after key (s * span + at)
    in if i >= 0 && i / per == s && s * span + at - key[i] <= tolerance
       then (s, price i * i64.u8 n, i64.u8 spreads[i], 1)
       else (-1, 0, 0, 0)
  let (ss, value, spread, one) = unzip4 (map3 match_one sym when qty)
  let by xs = reduce_by_index (replicate symbols 0i64) (+) 0 ss xs
  in (i64.sum one, by value, by spread, by one)
