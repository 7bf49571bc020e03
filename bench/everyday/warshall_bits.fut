-- Transitive closure of a directed graph as a bit matrix (64 columns per word), then reachability counts and strong components.
def main [n] [w] (seed: [n][w]u64) (extra: [n]u32) : ([n]i32, i64) =
  let n' = i64.min n (w * 64)
  -- a sparse start: the diagonal, one random edge, and rarely another
  let start =
    map3 (\i row e ->
            let t = i64.u32 e % i64.max 1 n'
            in tabulate w (\c ->
                             let bit t = if t / 64 == c then 1u64 << u64.i64 (t % 64) else 0
                             let rare = if row[c] >> 54 == 0 then 1u64 << (row[c] & 63) else 0
                             let inside = if c * 64 + i64.u64 (row[c] & 63) < n' then rare else 0
                             in (if i < n' && e % 3 != 0 then bit t else 0) | bit i | inside))
         (iota n) seed extra
  let closed =
    loop m = start for k < n' do
      let pivot = m[k]
      let (word, sh) = (k / 64, u64.i64 (k % 64))
      in map (\row -> if (row[word] >> sh) & 1 == 1 then map2 (|) row pivot else row) m
  let reach = map (\row -> i32.sum (map u64.popc row)) closed
  let has (row: [w]u64) j = (row[j / 64] >> u64.i64 (j % 64)) & 1 == 1
  -- a vertex leads its component if no smaller one is on a common cycle
  let leads i =
    let (j, _) = loop (j, go) = (0, true) while go && j < i do
        if has closed[i] j && has closed[j] i then (j, false) else (j + 1, true)
    in j == i
  in (reach, i64.sum (tabulate n' (\i -> i64.bool (leads i))))
