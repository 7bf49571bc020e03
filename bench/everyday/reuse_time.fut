-- Reuse times of a memory trace: stable sort by address, previous use of each access, log histogram, working set of each window, Denning curve.
def digit_pass [n] (shift: u32) (xs: [n](u32, i32)) : [n](u32, i32) =
  let isone = map (\(a, _) -> (a >> shift) & 1 == 1) xs
  let z = map (\o -> i32.bool (not o)) isone
  let pz = scan (+) 0 z
  let nz = if n == 0 then 0 else pz[n - 1]
  let pos = map3 (\o p i -> if o then i64.i32 nz + i - i64.i32 p else i64.i32 p - 1) isone pz (iota n)
  in scatter (replicate n (0, 0)) pos xs

def main [n] (abits: i32) (win0: i64) (trace: [n]u32) =
  let bits = i32.max 2 (i32.min 16 abits)
  let win = i64.max 1 win0
  -- half of the accesses go to a small hot area
  let addr = map (\t -> if t >> 31 == 1 then (t >> 8) & 3 else (t >> 8) & ((1 << u32.i32 bits) - 1)) trace
  let sorted = loop s = zip addr (map i32.i64 (iota n)) for k < bits do digit_pass (u32.i32 k) s
  let prev_sorted = tabulate n (\i -> if i > 0 && sorted[i - 1].0 == sorted[i].0 then sorted[i - 1].1 else -1)
  let prev = scatter (replicate n (-1i32)) (map (\(_, t) -> i64.i32 t) sorted) prev_sorted
  let time = map2 (\i p -> if p < 0 then -1 else i32.i64 i - p) (iota n) prev
  let bucket t = if t < 0 then 32 else i64.i32 (31 - i32.clz t)
  let h = hist (+) 0 33 (map bucket time) (replicate n 1i64)
  let nw = (n + win - 1) / win
  let fresh = map2 (\i p -> i32.bool (i64.i32 p < (i / win) * win)) (iota n) prev
  let ws = reduce_by_index (replicate nw 0i32) (+) 0 (map (/ win) (iota n)) fresh
  -- cold misses plus accesses with reuse time above 2^k
  let tail = reverse (scan (+) 0 (reverse h[0:32]))
  let curve = map (\c -> c + h[32]) tail
  in (time, h, ws, curve)
