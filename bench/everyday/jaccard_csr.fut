-- Link prediction on a graph in CSR form: sorted neighbour lists, Jaccard and Adamic-Adar scores of queried pairs by merging.
def row_bounds [n] (len: [n]i64) : ([n]i64, [n]i64) =
  let ends = scan (+) 0 len
  in (map2 (-) ends len, ends)

-- Each node's neighbours ascend: base plus running gaps.
def neighbours [n] (len: [n]i64) (m: i64) (gap: [m]u8) : [m]i64 =
  let (starts, _) = row_bounds len
  let heads = reduce_by_index (replicate m (-1)) i64.max (-1) starts (map2 (\v l -> if l > 0 then v else -1) (iota n) len)
  let flags = map (>= 0) heads
  let vals = map2 (\f g -> if f then i64.u8 g * 31 % n else 1 + i64.u8 g % 13) flags gap
  let op (f, a) (g, b) = (f || g, if g then b else a + b)
  in map (.1) (scan op (false, 0) (zip flags vals))

def merge [m] (adj: [m]i64) (weight: i64 -> f32) (a0: i64) (a1: i64) (b0: i64) (b1: i64) : (i32, f32) =
  let (_, _, common, score) =
    loop (i, j, common, score) = (a0, b0, 0, 0) while i < a1 && j < b1 do
      let (x, y) = (adj[i], adj[j])
      in if x == y then (i + 1, j + 1, common + 1, score + weight x)
         else if x < y then (i + 1, j, common, score)
         else (i, j + 1, common, score)
  in (common, score)

-- Nodes at each distance from a root, level by level over all edges.
def levels [n][m] (rounds: i64) (adj: [m]i64) (owner: [m]i64) (root: i64) : ([n]i32, [rounds]i64) =
  let dist = replicate n (-1i32) with [root] = 0
  in loop (dist, count) = (dist, replicate rounds 0) for d < rounds do
       let reach = map2 (\o x -> if dist[o] == i32.i64 d && dist[x % n] < 0 then x % n else -1) owner adj
       let dist = scatter (copy dist) reach (replicate m (i32.i64 d + 1))
       in (dist, count with [d] = i64.sum (map (\x -> i64.bool (x == i32.i64 d + 1)) dist))

entry main [n][m][q] (deg: [n]u8) (gap: [m]u8) (us: [q]i32) (vs: [q]i32) : ([q]f32, [q]f32, i64, [n]i32, [6]i64) =
  let (s0, e0) = row_bounds (map (\d -> i64.u8 d % 33) deg)
  let len = map2 (\s e -> i64.max 0 (i64.min e m - s)) s0 e0
  let (starts, ends) = row_bounds len
  let total = i64.sum len
  let adj = neighbours len total gap[:total]
  let weight x = 1 / f32.log (2 + f32.i64 len[x % n])
  let node x = i64.i32 (x & 0x7fffffff) % n
  let one u v =
    let (a, b) = (node u, node v)
    let (common, score) = merge adj weight starts[a] ends[a] starts[b] ends[b]
    let all = i32.i64 (len[a] + len[b]) - common
    in (if all > 0 then f32.i32 common / f32.i32 all else 0, score)
  let (jac, aa) = unzip (map2 one us vs)
  let marks = reduce_by_index (replicate total 0) i64.max 0 (map2 (\s l -> if l > 0 then s else -1) starts len) (iota n)
  let owner = scan i64.max 0 marks
  let (dist, count) = levels 6 adj owner 0
  in (jac, aa, i64.sum (map (\x -> i64.bool (x > 0)) jac), dist, count)
