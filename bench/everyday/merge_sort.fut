-- Bottom-up merge sort by ranks: every element finds its place in the sibling run by binary search; then gaps and mode.
type rec = {key: i32, id: i32}

-- first index in lo..hi of xs that is not before k (or, if strict, after it)
def rank [n] (xs: [n]rec) (after: bool) (lo: i64) (hi: i64) (k: i32) : i64 =
  (loop (lo, hi) = (lo, hi) while lo < hi do
     let mid = (lo + hi) / 2
     let less = if after then xs[mid].key <= k else xs[mid].key < k
     in if less then (mid + 1, hi) else (lo, mid)).0

def merge_pass [n] (run: i64) (xs: [n]rec) : [n]rec =
  let dst = map2 (\i (x: rec) ->
      let start = i / (2 * run) * (2 * run)
      let mid = i64.min n (start + run)
      let end = i64.min n (start + 2 * run)
      in if i < mid
         then i + (rank xs false mid end x.key - mid)
         else start + (i - mid) + (rank xs true start mid x.key - start)) (iota n) xs
  in scatter (replicate n {key = 0, id = 0}) dst xs

entry main [n] (raw: [n]i32) : ([n]i32, [n]i32, i32, i64) =
  let recs : [n]rec = map2 (\k i -> {key = k / 1000, id = i32.i64 i}) raw (iota n)
  let (sorted, _) = loop (xs, run) = (recs, 1) while run < n do (merge_pass run xs, 2 * run)
  let keys = map (\(r: rec) -> r.key) sorted
  -- the longest run of equal keys (the mode, smallest key on ties)
  let start = scan i64.max 0 (map (\i -> if i > 0 && keys[i] != keys[i - 1] then i else 0) (iota n))
  let (len, mode) = reduce (\(a, k) (b, l) -> if b > a || (b == a && l < k) then (b, l) else (a, k)) (0, i32.highest)
                      (map3 (\i s k -> (i - s + 1, k)) (iota n) start keys)
  in (keys, map (\(r: rec) -> r.id) sorted, mode, len)
