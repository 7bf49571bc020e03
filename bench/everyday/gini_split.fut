-- A forest-style decision tree on binned features, grown level by level: class histograms for each node and feature, whole-number Gini scores, partition of the rows, majority leaves.
type split = {score: i64, feature: i64, bin: i64}

def better (a: split) (b: split) : split =
  if a.score > b.score then a
  else if b.score > a.score then b
  else if a.feature < b.feature || (a.feature == b.feature && a.bin <= b.bin) then a else b

def none : split = {score = -1, feature = i64.highest, bin = 0}

-- counts [bins][classes] of one node and feature -> its best cut "bin <= b goes left"
def best_cut [bins] [c] (feature: i64) (counts: [bins][c]i32) : split =
  let upto = transpose (map (scan (+) 0) (transpose counts))
  let total = upto[bins - 1]
  let n = i64.i32 (i32.sum total)
  let purity (xs: [c]i32) (m: i64) =
    if m == 0 then 0 else 1024 * i64.sum (map (\x -> i64.i32 x * i64.i32 x) xs) / m
  let cut b =
    let left = upto[b]
    let right = map2 (-) total left
    let nl = i64.i32 (i32.sum left)
    in if nl == 0 || nl == n then none
       else {score = purity left nl + purity right (n - nl), feature, bin = b}
  in reduce_comm better none (map cut (iota (bins - 1)))

def histogram [n] [d] (nodes: i64) (bins: i64) (c: i64) (node: [n]i64) (x: [n][d]u8) (y: [n]i64) : [nodes][d][bins][c]i32 =
  let size = nodes * d * bins * c
  let slots =
    map3 (\v row l -> map2 (\f b -> ((v * d + f) * bins + i64.u8 b) * c + l) (iota d) row) node x y
  let flat = flatten slots
  in unflatten_4d (reduce_by_index (replicate size 0i32) (+) 0 flat (map (const 1i32) flat) :> [nodes * d * bins * c]i32)

def majority [c] (counts: [c]i32) : (i32, i32) =
  reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (i32.lowest, i32.highest)
              (zip counts (map i32.i64 (iota c)))

entry main [n] [d] (depth: i64) (bins: i64) (c: i64) (raw: [n][d]u8) (labels: [n]u8) =
  let x = map (map (\b -> u8.i64 (i64.u8 b % bins))) raw
  -- the labels depend on the features, with a little noise
  let y = map2 (\r l -> if l < 40 then i64.u8 l % c else (i64.u8 r[0] / 3 + i64.u8 r[1 % d] / 2 + i64.u8 (r[2 % d] & 1)) % c) x labels
  let nodes = 1 << (depth - 1)
  let leaves = 1 << depth
  let (node, features, cuts, gain) =
    loop (node, features, cuts, gain) =
      (replicate n 0i64, replicate leaves (-1i32), replicate leaves 0u8, 0i64)
    for l < depth do
      let width = 1 << l
      let counts = histogram nodes bins c node x y
      let best =
        map (\per_feature -> reduce_comm better none (map2 best_cut (iota d) per_feature)) counts
      let at = map (\v -> if v < width then width + v else -1) (iota nodes)
      let known = map (\s -> s.score >= 0) best
      let features = scatter features at (map2 (\k s -> if k then i32.i64 s.feature else -1) known best)
      let cuts = scatter cuts at (map2 (\k s -> if k then u8.i64 s.bin else 0) known best)
      let node' =
        map2 (\v row ->
                let s = best[v]
                let right = if s.score < 0 then false else i64.u8 row[s.feature] > s.bin
                in 2 * v + i64.bool right)
             node x
      in (node', features, cuts, gain + i64.sum (map2 (\k s -> if k then s.score else 0) known best))
  let leaf_counts =
    unflatten (reduce_by_index (replicate (leaves * c) 0i32) (+) 0 (map2 (\v l -> v * c + l) node y) (replicate n 1))
  let (_, winner) = unzip (map majority leaf_counts)
  let correct = i32.sum (map2 (\v l -> i32.bool (i64.i32 winner[v] == l)) node y)
  in (features, cuts, winner, leaf_counts, correct, gain)
