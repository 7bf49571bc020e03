-- Shipping priority query: customers of a segment, their open orders, late line items, revenue per order, ten greatest.
type cand = {rev: i64, order: i64}
def better (a: cand) (b: cand) = a.rev > b.rev || (a.rev == b.rev && a.order < b.order)
def none : cand = {rev = -1, order = i64.highest}

def merge10 (a: [10]cand) (b: [10]cand) : [10]cand =
  let (out, _, _) =
    loop (out, i, j) = (replicate 10 none, 0i64, 0i64) for k < 10 do
      if better a[i] b[j] then (out with [k] = a[i], i + 1, j) else (out with [k] = b[j], i, j + 1)
  in out

def pos (x: i32) = x & 0x7fffffff

-- Order k belongs to customer pos(ocust[k]) mod nc, line l to order pos(lorder[l]) mod no.
entry main [nc][no][nl] (segment: i32) (cutoff: i32) (cseg: [nc]i32) (ocust: [no]i32) (odate: [no]i32)
                        (lorder: [nl]i32) (ldate: [nl]i32) (price: [nl]i32) (disc: [nl]u8) : ([10]i64, [10]i64, i64) =
  let wanted = map (\s -> pos s % 5 == segment) cseg
  let live = map2 (\c d -> wanted[i64.i32 (pos c) % nc] && pos d % 2406 < cutoff) ocust odate
  let key o d = let k = i64.i32 (pos o) % no
                in if live[k] && pos d % 2526 > cutoff then k else -1
  let keys = map2 key lorder ldate
  let cents = map2 (\p d -> i64.i32 (pos p % 100000) * (100 - i64.u8 (d % 11))) price disc
  let revenue = reduce_by_index (replicate no 0) (+) 0 keys cents
  -- Top ten: strided groups keep their own ten, then these are merged.
  let groups = i64.max 1 (no / 512)
  let insert (best: [10]cand) (c: cand) : [10]cand =
    let slot = i64.sum (map (\b -> i64.bool (better b c)) best)
    in map (\k -> if k < slot then best[k] else if k == slot then c else best[k - 1]) (iota 10)
  let own (g: i64) : [10]cand =
    loop best = replicate 10 none for s < (no - g + groups - 1) / groups do
      let o = g + s * groups
      let c = {rev = revenue[o], order = o}
      in if c.rev > 0 && better c best[9] then insert best c else best
  let best = reduce merge10 (replicate 10 none) (tabulate groups own)
  in (map (.order) best, map (.rev) best, i64.sum (map i64.bool live))
