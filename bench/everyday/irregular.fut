-- Irregular and data-structure-like programs.
-- ==
-- entry: word_count rle spmv_coo spmv_csr quickselect components bfs radix_sort_pairs group_stats hist_equalize paren_depth parse_numbers knn8 edit_distance sorted_lookup hash_set life nqueens list_rank merge_intervals flood_fill point_in_polygon inverse4 heatmap row_runs top_k drawdown

-- ---------------------------------------------------------------------
-- Utilities
-- ---------------------------------------------------------------------

def umod (x: i32) (m: i64) : i64 = i64.u32 (u32.i32 x) % m

def exscan [n] (xs: [n]i64) : [n]i64 =
  let s = scan (+) 0 xs
  in map (\i -> if i == 0 then 0 else s[i - 1]) (iota n)

def segmented_scan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (as: [n]t) : [n]t =
  (unzip (scan (\(x_flag, x) (y_flag, y) ->
                  ( x_flag || y_flag
                  , if y_flag then y else x `op` y
                  ))
               (false, ne)
               (zip flags as))).1

def replicated_iota [n] (reps: [n]i64) : []i64 =
  let total = reduce (+) 0 reps
  let starts = exscan reps
  let tmp = reduce_by_index (replicate total 0) i64.max 0 starts (iota n)
  let flags = map (> 0) tmp
  in segmented_scan (+) 0 flags tmp

def segmented_iota [n] (flags: [n]bool) : [n]i64 =
  map (\x -> x - 1) (segmented_scan (+) 0 flags (replicate n 1))

def expand 'a 'b (sz: a -> i64) (get: a -> i64 -> b) (arr: []a) : []b =
  let szs = map sz arr
  let idxs = replicated_iota szs
  let iotas = segmented_iota (map2 (!=) idxs (rotate (-1) idxs))
  in map2 (\i j -> get arr[i] j) idxs iotas

module type monoid = {
  type t
  val op : t -> t -> t
  val ne : t
}

-- Reduce the irregular segments given by lengths.
module mk_segreduce (M: monoid) = {
  def segreduce [k] [n] (lens: [k]i64) (row: [n]i64) (xs: [n]M.t) : [k]M.t =
    let flags = map (\i -> i == 0 || row[i] != row[i - 1]) (iota n)
    let sums = segmented_scan M.op M.ne flags xs
    let ends = scan (+) 0 lens
    in map2 (\len e -> if len == 0 then M.ne else sums[e - 1]) lens ends
}

module segsum_f32 = mk_segreduce {
  type t = f32
  def op = (f32.+)
  def ne = 0f32
}

-- ---------------------------------------------------------------------
-- Text
-- ---------------------------------------------------------------------

type char_class = #letter u8 | #digit i64 | #blank

def classify (c: u8) : char_class =
  let k = c % 48
  in if k < 26 then #letter (k + 'a')
     else if k < 36 then #digit (i64.u8 (k - 26))
     else #blank

def is_blank (c: char_class) : bool =
  match c
  case #blank -> true
  case _ -> false

-- Words of the text as (start, length, hash), plus a histogram of lengths.
entry word_count [n] (text: [n]u8) : (i64, [16]i32, []i64, []u32) =
  let cs = map classify text
  let blank = map is_blank cs
  let starts_word i = !blank[i] && (i == 0 || blank[i - 1])
  let ends_word i = !blank[i] && (i == n - 1 || blank[i + 1])
  let starts = filter starts_word (iota n)
  let ends = filter ends_word (iota n)
  let k = length starts
  let starts = starts :> [k]i64
  let ends = ends :> [k]i64
  let lens = map2 (\s e -> e - s + 1) starts ends
  let hashes =
    map2 (\s len ->
            loop h = 5381u32
            for j < len do
              match cs[s + j]
              case #letter c -> h * 33 + u32.u8 c
              case #digit d -> h * 33 + u32.i64 d + 1000
              case #blank -> h)
         starts
         lens
  let hist = reduce_by_index (replicate 16 0) (+) 0 (map (i64.min 15) lens) (replicate k 1i32)
  in (k, hist, lens, hashes)

entry rle [n] (xs: [n]i32) : ([]i32, []i64) =
  let xs = map (\x -> i32.i64 (umod x 1000 / 400)) xs
  let heads = map (\i -> i == 0 || xs[i] != xs[i - 1]) (iota n)
  let run_of = scan (+) 0 (map i64.bool heads)
  let k = if n == 0 then 0 else last run_of
  let vals =
    scatter (replicate k 0i32)
            (map2 (\h r -> if h then r - 1 else -1) heads run_of)
            xs
  let lens = reduce_by_index (replicate k 0i64) (+) 0 (map (\r -> r - 1) run_of) (replicate n 1)
  in (vals, lens)

type paren = #opening | #closing | #other

def to_paren (c: u8) : paren =
  if c < 60 then #opening else if c < 118 then #closing else #other

-- How many unmatched closing and opening parens a piece of text has.
type unmatched = {closes: i32, opens: i32}

def combine (a: unmatched) (b: unmatched) : unmatched =
  let m = i32.min a.opens b.closes
  in {closes = a.closes + b.closes - m, opens = a.opens + b.opens - m}

entry paren_depth [n] (text: [n]u8) : (i32, i32, i32, i64) =
  let ps = map to_paren text
  let piece (p: paren) : unmatched =
    match p
    case #opening -> {closes = 0, opens = 1}
    case #closing -> {closes = 1, opens = 0}
    case #other -> {closes = 0, opens = 0}
  let states = scan combine {closes = 0, opens = 0} (map piece ps)
  let depths = map (.opens) states
  let final = reduce combine {closes = 0, opens = 0} (map piece ps)
  let deepest = i32.maximum depths
  let first_at = i64.minimum (map2 (\i d -> if d == deepest then i else n) (iota n) depths)
  in (final.closes, final.opens, deepest, first_at)

-- Digits are folded into numbers with a composition of affine functions.
entry parse_numbers [n] (text: [n]u8) : ([]i64, i64) =
  let digit (c: u8) = let k = c % 13 in (k < 10, i64.u8 k)
  let (isd, ds) = unzip (map digit text)
  let maps = map2 (\p d -> if p then (10i64, d) else (0, 0)) isd ds
  let (_, vals) =
    unzip (scan (\(a1, b1) (a2, b2) -> (a1 * a2, b1 * a2 + b2)) (1, 0) maps)
  let is_end = map (\i -> isd[i] && (i == n - 1 || !isd[i + 1])) (iota n)
  let nums = filter (.0) (zip is_end vals) |> map (.1)
  in (nums, i64.sum (map (% 1000003) nums))

-- ---------------------------------------------------------------------
-- Sparse matrices and graphs
-- ---------------------------------------------------------------------

entry spmv_coo [nnz] [n] (rows: [nnz]i32) (cols: [nnz]i32) (vals: [nnz]f32) (x: [n]f32) : [n]f32 =
  let is = map (\r -> umod r n) rows
  let contribs = map2 (\c v -> v * x[umod c n]) cols vals
  in reduce_by_index (replicate n 0) (+) 0 is contribs

entry spmv_csr [k] [m] [n] (lens: [k]i32) (cols: [m]i32) (vals: [m]f32) (x: [n]f32) : [k]f32 =
  let lens = map (\l -> umod l 16) lens
  let row = replicated_iota lens
  let nnz = length row
  let row = row :> [nnz]i64
  let prods = map (\i -> vals[i % m] * x[umod cols[i % m] n]) (iota nnz)
  in segsum_f32.segreduce lens row prods

-- Minimum label propagation along edges, with shortcutting.
entry components [n] [m] (us: [m]i32) (vs: [m]i32) (_vertices: [n]u8) : (i64, [n]i32, i32) =
  let us = map (\u -> umod u n) us
  let vs = map (\v -> umod v n) vs
  let (label, _, rounds) =
    loop (label, changed, rounds) = (map i32.i64 (iota n), true, 0)
    while changed do
      let lows = map2 (\u v -> i32.min label[u] label[v]) us vs
      let label' = reduce_by_index (copy label) i32.min i32.highest us lows
      let label' = reduce_by_index label' i32.min i32.highest vs lows
      let label' = map (\l -> label'[i64.i32 l]) label'
      let changed = or (map2 (!=) label label')
      in (label', changed, rounds + 1)
  let count = map2 (\i l -> i64.bool (i == i64.i32 l)) (iota n) label |> i64.sum
  in (count, label, rounds)

entry bfs [n] [m] (degs: [n]i32) (targets: [m]i32) (source: i32) : ([n]i32, i32) =
  let deg = map (\d -> 1 + umod d 6) degs
  let off = exscan deg
  let s = umod source n
  let dist = replicate n (-1i32) with [s] = 0
  let (dist, _, levels) =
    loop (dist: *[n]i32, frontier: []i64, d: i32) = (dist, [s], 0)
    while length frontier > 0 do
      let cand =
        expand (\v -> deg[v])
               (\v j -> umod targets[(off[v] + j) % m] n)
               frontier
      let new = filter (\v -> dist[v] < 0) cand
      let owner =
        reduce_by_index (replicate n i64.highest) i64.min i64.highest new (indices new)
      let next = zip new (indices new) |> filter (\(v, i) -> owner[v] == i) |> map (.0)
      let dist = scatter dist next (map (const (d + 1)) next)
      in (dist, next, d + 1)
  in (dist, levels)

-- Distance to the root of a chain-like forest by pointer jumping.
entry list_rank [n] (skips: [n]i32) (weights: [n]i32) : [n]i64 =
  let next = map2 (\i s -> i64.max 0 (i - 1 - umod s 4)) (iota n) skips
  let w = map2 (\i x -> if i == 0 then 0 else umod x 10) (iota n) weights
  let steps = 64 - i32.i64 (i64.i32 (i64.clz n))
  let (w, _) =
    loop (w, next) for _i < steps do
      ( map2 (\a p -> a + w[p]) w next
      , map (\p -> next[p]) next
      )
  in w

-- ---------------------------------------------------------------------
-- Sorting, selecting, grouping
-- ---------------------------------------------------------------------

entry quickselect [n] (xs: [n]i32) (k: i32) : (i32, i32) =
  let (_, ys, rounds) =
    loop (k: i64, ys: []i32, rounds: i32) = (umod k n, xs, 0)
    while length ys > 1 do
      let pivot = ys[length ys / 2]
      let (lt, eq, gt) = partition2 (< pivot) (== pivot) ys
      in if k < length lt then (k, lt, rounds + 1)
         else if k < length lt + length eq then (0, [pivot], rounds + 1)
         else (k - length lt - length eq, gt, rounds + 1)
  in (ys[0], rounds)

def radix_step [n] 't (get: t -> u64) (xs: [n]t) (b: i32) : [n]t =
  let digit x = i32.u64 ((get x >> u64.i32 b) & 3)
  let ds = map digit xs
  let pairwise (a1, a2, a3, a4) (b1, b2, b3, b4) =
    (a1 + b1, a2 + b2, a3 + b3, a4 + b4)
  let onehot d =
    (i32.bool (d == 0), i32.bool (d == 1), i32.bool (d == 2), i32.bool (d == 3))
  let offs = scan pairwise (0, 0, 0, 0) (map onehot ds)
  let (na, nb, nc, _) = if n == 0 then (0, 0, 0, 0) else last offs
  let place d (a, b, c, e) =
    i64.i32 (if d == 0 then a - 1
             else if d == 1 then na + b - 1
             else if d == 2 then na + nb + c - 1
             else na + nb + nc + e - 1)
  in scatter (copy xs) (map2 place ds offs) xs

entry radix_sort_pairs [n] (keys: [n]i64) (payload: [n]f32) : ([n]i64, [n]f32) =
  let flip (k: i64) = u64.i64 k ^ (1 << 63)
  let kvs = loop kvs = zip keys payload
            for i < 32 do radix_step (\(k, _) -> flip k) kvs (i * 2)
  in unzip kvs

type stats = {sum: f64, count: i32, min: f32, max: f32}

def no_stats : stats = {sum = 0, count = 0, min = f32.highest, max = f32.lowest}

def add_stats (a: stats) (b: stats) : stats =
  { sum = a.sum + b.sum
  , count = a.count + b.count
  , min = f32.min a.min b.min
  , max = f32.max a.max b.max
  }

entry group_stats [n] (groups: [n]i32) (xs: [n]f32) (k: i32) : ([]f64, []i32, []f32) =
  let k = i64.i32 k
  let single (x: f32) : stats = {sum = f64.f32 x, count = 1, min = x, max = x}
  let res =
    reduce_by_index (replicate k no_stats)
                    add_stats
                    no_stats
                    (map (\g -> umod g k) groups)
                    (map single xs)
  let mean (s: stats) = if s.count == 0 then 0 else s.sum / f64.i32 s.count
  let range (s: stats) = if s.count == 0 then 0 else s.max - s.min
  in (map mean res, map (.count) res, map range res)

entry sorted_lookup [n] [q] (gaps: [n]i32) (keys: [q]i32) : ([q]i64, i64) =
  let sorted = scan (+) 0 (map (\g -> umod g 20) gaps)
  let top = last sorted + 1
  let lower_bound key =
    let (lo, _) =
      loop (lo, hi) = (0i64, n)
      while lo < hi do
        let mid = lo + (hi - lo) / 2
        in if sorted[mid] < key then (mid + 1, hi) else (lo, mid)
    in lo
  let qs = map (\k -> umod k top) keys
  let pos = map lower_bound qs
  let hits = map2 (\p k -> p < n && sorted[p] == k) pos qs
  in (pos, i64.sum (map i64.bool hits))

-- Open addressing with linear probing; every round, all pending keys bid
-- for their slot and the smallest wins.
entry hash_set [n] (keys: [n]i32) : (i64, i32, [n]i32) =
  let cap = loop c = 16 while c < 2 * n do c * 2
  let empty = i64.highest
  let keys = map (\k -> umod k (1 << 22)) keys
  let hash (k: i64) =
    let h = u64.i64 k * 0x9E3779B97F4A7C15
    in i64.u64 (h >> 24) & (cap - 1)
  let (table, _, rounds) =
    loop (table: *[cap]i64, pending: [](i64, i64), rounds: i32) =
      (replicate cap empty, map (\k -> (k, hash k)) keys, 0)
    while length pending > 0 do
      let is = map (\(_, s) -> if table[s] == empty then s else -1) pending
      let table = reduce_by_index table i64.min empty is (map (.0) pending)
      let pending' = filter (\(k, s) -> table[s] != k) pending
      in (table, map (\(k, s) -> (k, (s + 1) & (cap - 1))) pending', rounds + 1)
  let probes k =
    let (_, c) =
      loop (s, c) = (hash k, 1i32)
      while table[s] != k do ((s + 1) & (cap - 1), c + 1)
    in c
  in (i64.sum (map (\t -> i64.bool (t != empty)) table), rounds, map probes keys)

entry top_k [n] (xs: [n]f32) (k: i32) : ([]f32, []i64) =
  let k = i64.i32 k
  let better (a: f32, i: i64) (b: f32, j: i64) =
    if a > b || (a == b && i < j) then (a, i) else (b, j)
  let (_, vs, is) =
    loop (ys, vs, is) = (copy xs, replicate k 0f32, replicate k (-1i64))
    for r < k do
      let (v, i) = reduce_comm better (f32.lowest, n) (zip ys (iota n))
      in if i < n
         then (ys with [i] = f32.lowest, vs with [r] = v, is with [r] = i)
         else (ys, vs, is)
  in (vs, is)

-- ---------------------------------------------------------------------
-- Scans
-- ---------------------------------------------------------------------

entry merge_intervals [n] (gaps: [n]i32) (lens: [n]i32) : (i64, i64, []i64, []i64) =
  let starts = scan (+) 0 (map (\g -> umod g 100) gaps)
  let ends = map2 (\s l -> s + umod l 200) starts lens
  let reach = scan i64.max i64.lowest ends
  let is_first i = i == 0 || starts[i] > reach[i - 1]
  let firsts = filter is_first (iota n)
  let k = length firsts
  let firsts = firsts :> [k]i64
  let ss = map (\i -> starts[i]) firsts
  let es = map (\j -> if j == k - 1 then reach[n - 1] else reach[firsts[j + 1] - 1]) (iota k)
  in (k, i64.sum (map2 (-) es ss), ss, es)

-- The largest drop from a running peak, and where it happened.
entry drawdown [n] (steps: [n]i32) : (i64, i64, i64) =
  let price = scan (+) 0 (map (\s -> umod s 201 - 100) steps)
  let peaks =
    scan (\(a, i) (b, j) -> if b > a then (b, j) else (a, i))
         (i64.lowest, -1)
         (zip price (iota n))
  let drops = map3 (\(p, i) x j -> (p - x, i, j)) peaks price (iota n)
  in reduce (\(d1, i1, j1) (d2, i2, j2) ->
               if d2 > d1 || (d2 == d1 && j2 < j1) then (d2, i2, j2) else (d1, i1, j1))
            (-1, i64.highest, i64.highest)
            drops

-- ---------------------------------------------------------------------
-- Images and grids
-- ---------------------------------------------------------------------

entry hist_equalize [h] [w] (img: [h][w]u8) : [h][w]u8 =
  -- Squeeze the contrast first, as the input is uniform noise.
  let dark = map (map (\p -> u8.i32 (i32.u8 p * i32.u8 p / 400 + 20))) img
  let hist =
    reduce_by_index (replicate 256 0i64) (+) 0
                    (map i64.u8 (flatten dark))
                    (replicate (h * w) 1)
  let cdf = scan (+) 0 hist
  let low = i64.minimum (map (\c -> if c > 0 then c else i64.highest) cdf)
  let lut = map (\c -> u8.i64 (i64.max 0 (c - low) * 255 / i64.max 1 (h * w - low))) cdf
  in map (map (\p -> lut[i64.u8 p])) dark

-- For each row the longest run of one class of pixels: its length, its end
-- and its class; then how many runs there are.
entry row_runs [h] [w] (img: [h][w]u8) : ([h]i32, [h]i32, [h]u8, [h]i32) =
  let on_row (row: [w]u8) =
    let cls = map (\p -> p / 90) row
    let fresh = map (\j -> j == 0 || cls[j] != cls[j - 1]) (iota w)
    let lens = segmented_scan (+) 0 fresh (replicate w 1i32)
    let (len, at) =
      reduce (\(a, i) (b, j) -> if b > a || (b == a && j < i) then (b, j) else (a, i))
             (0, i32.highest)
             (zip lens (map i32.i64 (iota w)))
    let runs = i32.sum (map i32.bool fresh)
    in (len, at, cls[i64.i32 at], runs)
  in unzip4 (map on_row img)

entry heatmap [n] (xs: [n]f32) (ys: [n]f32) (ws: [n]i32) (size: i32) : ([][]i32, [][]i32) =
  let k = i64.i32 size
  let cell (x: f32) = i64.min (k - 1) (i64.f32 (x * x * f32.i64 k))
  let points = map2 (\x y -> (cell x, cell y)) xs ys
  let vals = map (\w -> (i32.i64 (umod w 100), 1)) ws
  let (sums, counts) =
    reduce_by_index_2d (replicate k (replicate k (0, 0)))
                       (\(a, b) (c, d) -> (a + c, b + d))
                       (0, 0)
                       points
                       vals
    |> map unzip
    |> unzip
  in (sums, counts)

def life_step [h] [w] (g: [h][w]bool) : [h][w]bool =
  let at i j = i32.bool g[(i + h) % h, (j + w) % w]
  in tabulate_2d h w (\i j ->
       let nb = at (i - 1) (j - 1) + at (i - 1) j + at (i - 1) (j + 1)
                + at i (j - 1) + at i (j + 1)
                + at (i + 1) (j - 1) + at (i + 1) j + at (i + 1) (j + 1)
       in nb == 3 || (nb == 2 && g[i, j]))

entry life [h] [w] (cells: [h][w]f32) (steps: i32) : (i64, [h]i32) =
  let g = iterate steps life_step (map (map (< 0.3)) cells)
  let per_row = map (\r -> i32.sum (map i32.bool r)) g
  in (i64.sum (map i64.i32 per_row), per_row)

-- Steps needed from the left edge to every open cell of a maze.
entry flood_fill [h] [w] (cells: [h][w]f32) : ([h][w]i32, i32) =
  let wall = map (map (< 0.3)) cells
  let far = 1000000i32
  let init = tabulate_2d h w (\i j -> if j == 0 && !wall[i, j] then 0 else far)
  let relax (d: [h][w]i32) : [h][w]i32 =
    let get i j = if i >= 0 && i < h && j >= 0 && j < w then d[i, j] else far
    in tabulate_2d h w (\i j ->
         if wall[i, j] then far
         else let m = i32.min (i32.min (get (i - 1) j) (get (i + 1) j))
                              (i32.min (get i (j - 1)) (get i (j + 1)))
              in i32.min d[i, j] (i32.min far (m + 1)))
  let (dist, _, rounds) =
    loop (d, go, r) = (init, true, 0)
    while go do
      let d' = iterate 8 relax d
      let go = or (map2 (!=) (flatten d) (flatten d'))
      in (d', go, r + 1)
  in (map (map (\x -> if x == far then -1 else x)) dist, rounds)

-- ---------------------------------------------------------------------
-- One thread, one small problem
-- ---------------------------------------------------------------------

type point = {x: f32, y: f32, z: f32}

def dist2 (a: point) (b: point) : f32 =
  let sq x = x * x
  in sq (a.x - b.x) + sq (a.y - b.y) + sq (a.z - b.z)

-- The eight nearest neighbours, kept sorted in a small private array.
entry knn8 [n] [m] (queries: [n][3]f32) (points: [m][3]f32) : ([n]f32, [n]f32) =
  let to_point (v: [3]f32) : point = {x = v[0], y = v[1], z = v[2]}
  let ps = map to_point points
  let on_query q =
    let best =
      loop best = replicate 8 f32.highest
      for p in ps do
        let d = dist2 q p
        in if d >= best[7] then best
           else let (best, i) =
                  loop (best, i) = (best, 7i64)
                  while i > 0 && best[i - 1] > d do
                    let prev = best[i - 1]
                    in (best with [i] = prev, i - 1)
                in best with [i] = d
    let ds = map (\d -> if d == f32.highest then 0 else f32.sqrt d) best
    in (f32.sum ds / 8, ds[7])
  in unzip (map (on_query <-< to_point) queries)

def levenshtein (a: [24]u8) (b: [24]u8) : i32 =
  let row0 : *[25]i32 = map i32.i64 (iota 25)
  let row =
    loop row = row0 for i < 24 do
      let diag = row[0]
      let row[0] = i32.i64 i + 1
      let (row, _) =
        loop (row, diag) = (row, diag) for j < 24 do
          let up = row[j + 1]
          let cost = if a[i] == b[j] then 0 else 1
          let here = i32.min (diag + cost) (1 + i32.min up row[j])
          in (row with [j + 1] = here, up)
      in row
  in row[24]

entry edit_distance [n] (as: [n][24]u8) (bs: [n][24]u8) : ([n]i32, i32) =
  let letters = map (map (% 4))
  let ds = map2 levenshtein (letters as) (letters bs)
  in (ds, i32.maximum ds)

-- Queens on a board with one forbidden column per row.  Every thread has
-- its own placement of the first three rows and searches from there with
-- an explicit stack of candidate sets.
entry nqueens [k] (forbidden: [k]i32) (size: i32) : i64 =
  let n = i64.i32 size
  let full = (1u32 << u32.i64 n) - 1
  let bad = map (\i -> 1u32 << u32.i64 (umod forbidden[i % k] n)) (iota 16) :> [16]u32
  let free row cols l r = full & !(cols | l | r | bad[row])
  let search (c: i64) : i64 =
    let (ok, cols, l, r, _) =
      loop (ok, cols, l, r, c) = (true, 0u32, 0u32, 0u32, c)
      for row < 3 do
        let bit = 1u32 << u32.i64 (c % n)
        let ok = ok && (free row cols l r & bit) != 0
        in (ok, cols | bit, (l | bit) << 1, (r | bit) >> 1, c / n)
    in if !ok then 0
       else let init = replicate 16 0u32
            let todo = copy init with [3] = free 3 cols l r
            let cs = copy init with [3] = cols
            let ls = copy init with [3] = l
            let rs = copy init with [3] = r
            let (found, _, _, _, _, _) =
              loop (found, row, todo, cs, ls, rs) = (0i64, 3i64, todo, cs, ls, rs)
              while row >= 3 do
                let t = todo[row]
                in if t == 0 then (found, row - 1, todo, cs, ls, rs)
                   else let bit = t & (-t)
                        let todo[row] = t ^ bit
                        in if row == n - 1 then (found + 1, row, todo, cs, ls, rs)
                           else let c' = cs[row] | bit
                                let l' = (ls[row] | bit) << 1
                                let r' = (rs[row] | bit) >> 1
                                let todo[row + 1] = free (row + 1) c' l' r'
                                let cs[row + 1] = c'
                                let ls[row + 1] = l'
                                let rs[row + 1] = r'
                                in (found, row + 1, todo, cs, ls, rs)
            in found
  in i64.sum (map search (iota (n * n * n)))

-- Even-odd rule in exact integer arithmetic.
entry point_in_polygon [n] [m] (xs: [n]i32) (ys: [n]i32) (poly: [m][2]i32) : (i64, [n]bool) =
  let coord (c: i32) = umod c 20000 - 10000
  let corners = map (\p -> (coord p[0], coord p[1])) poly
  let inside (px, py) =
    let (res, _) =
      loop (res, (ax, ay)) = (false, corners[m - 1])
      for (bx, by) in corners do
        let crosses =
          (ay > py) != (by > py)
          && (let lhs = (px - ax) * (by - ay)
              let rhs = (bx - ax) * (py - ay)
              in if by > ay then lhs < rhs else lhs > rhs)
        in (res != crosses, (bx, by))
    in res
  let res = map2 (\x y -> inside (coord x, coord y)) xs ys
  in (i64.sum (map i64.bool res), res)

-- Gauss-Jordan on many small matrices.
def invert4 (a: [4][4]f32) : [4][4]f32 =
  let n = 4i64
  let aug : *[4][8]f32 =
    tabulate_2d 4 8 (\i j -> if j < n then a[i, j] else f32.bool (i == j - n))
  let aug =
    loop aug for c < n do
      let inv = 1 / aug[c, c]
      let aug = loop aug for j < 8i64 do
                  let v = aug[c, j] * inv in aug with [c, j] = v
      in loop aug for r < n do
           if r == c then aug
           else let f = aug[r, c]
                in loop aug for j < 8i64 do
                     let v = aug[r, j] - f * aug[c, j]
                     in aug with [r, j] = v
  in tabulate_2d 4 4 (\i j -> aug[i, j + n])

entry inverse4 [n] (ms: [n][4][4]f32) : ([n][4][4]f32, f32) =
  let dominant m = map2 (\i row -> map2 (\j x -> if i == j then x + 4 else x) (iota 4) row) (iota 4) m
  let ms = map dominant ms
  let invs = map invert4 ms
  let residual m inv =
    let prod = map (\row -> map (\col -> f32.sum (map2 (*) row col)) (transpose inv)) m
    in f32.maximum (flatten (tabulate_2d 4 4 (\i j -> f32.abs (prod[i, j] - f32.bool (i == j)))))
  let worst = f32.maximum (map2 residual ms invs)
  in (invs, if worst < 1e-4 then 0 else worst)
