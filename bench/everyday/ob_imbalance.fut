-- Order-flow imbalance from best quotes: contributions of bid and ask changes, summed per bucket of events and rolling.
type side = {price: i32, size: i32}

def bid_flow (old: side) (new: side) : i32 =
  if new.price > old.price then new.size
  else if new.price < old.price then -old.size
  else new.size - old.size

def ask_flow (old: side) (new: side) : i32 =
  if new.price < old.price then new.size
  else if new.price > old.price then -old.size
  else new.size - old.size

entry main [n] (bucket: i64) (bp: [n]u8) (bs: [n]u8) (ap: [n]u8) (as: [n]u8) : ([]i32, [n]i32, [256]i64) =
  let bids = map2 (\p s -> {price = i32.u8 (p % 16), size = 1 + i32.u8 s}) bp bs
  let asks = map2 (\p s -> {price = 16 + i32.u8 (p % 8), size = 1 + i32.u8 s}) ap as
  let flow = tabulate n (\i ->
               if i == 0 then 0
               else bid_flow bids[i - 1] bids[i] - ask_flow asks[i - 1] asks[i])
  let groups = (n + bucket - 1) / bucket
  let per = reduce_by_index (replicate groups 0) (+) 0 (map (/ bucket) (iota n)) flow
  let sums = scan (+) 0 flow
  let rolling = tabulate n (\i -> if i < bucket then sums[i] else sums[i] - sums[i - bucket])
  let mids = map2 (\b a -> i64.i32 (a.price - b.price)) bids asks
  let spreads = reduce_by_index (replicate 256 0) (+) 0 mids (replicate n 1i64)
  in (per, rolling, spreads)
