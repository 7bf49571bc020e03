-- Account balances that cannot fall below a floor: a segmented scan of maps x -> max (x + a) b; refused amounts and fees per account.
type tx = (bool, i64, i64)
def neutral : tx = (false, 0, -1_000_000_000_000)
def andThen ((f, a, b): tx) ((g, c, d): tx) : tx =
  if g then (true, c, d) else (f, a + c, i64.max (b + c) d)

entry main [n] (opening: i32) (acct: [n]u8) (amount: [n]i16) : ([n]i64, []i64, i64) =
  let o = i64.i32 opening % 500
  let start = tabulate n (\i -> i == 0 || acct[i] < 2)
  let a = map (\x -> i64.i16 x / 64 - 20) amount
  let st = scan andThen neutral (map2 (\s x -> (s, x, -1000)) start a)
  let bal = map (\(_, s, l) -> i64.max (o + s) l) st
  let before = tabulate n (\i -> if start[i] then o else bal[i-1])
  let refused = map3 (\b x y -> y - (b + x)) before a bal
  let fee = map2 (\b r -> (if b < 0 then 2 else 0) + (if r > 0 then 15 else 0)) bal refused
  let id = map (\x -> x - 1) (scan (+) 0 (map i64.bool start))
  let k = if n == 0 then 0 else id[n-1] + 1
  in (bal, hist (+) 0 k id fee, i64.sum refused)
