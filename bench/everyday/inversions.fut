-- Number of inversions per element and in total, by a bottom-up merge sort whose merges are binary searches.
def search [n] (below: i32 -> bool) (xs: [n]i32) (lo: i64) (hi: i64) : i64 =
  (loop (lo, hi) while lo < hi do
     let mid = (lo + hi) / 2
     in if below xs[mid] then (mid + 1, hi) else (lo, mid)).0

def main [n] (range: i32) (raw: [n]i32) : (i64, [n]i32, [n]i32) =
  let (keys, ids, counts, _) =
    loop (keys, ids, counts, width) = (map (% range) raw, map i32.i64 (iota n), replicate n 0i32, 1i64)
    while width < n do
      let moves =
        tabulate n (\i ->
          let start = i / (2 * width) * (2 * width)
          let mid = i64.min n (start + width)
          let end = i64.min n (start + 2 * width)
          let x = keys[i]
          in if i < mid
             then let k = search (< x) keys mid end in (i + k - mid, i32.i64 (k - mid))
             else let k = search (<= x) keys start mid in (i - mid + k, 0))
      let (dest, gains) = unzip moves
      let counts = map2 (+) counts gains
      let sorted = scatter (replicate n (0, 0, 0)) dest (zip3 keys ids counts)
      let (keys, ids, counts) = unzip3 sorted
      in (keys, ids, counts, width * 2)
  let per = scatter (replicate n 0) (map i64.i32 ids) counts
  in (i64.sum (map i64.i32 counts), keys, per)
