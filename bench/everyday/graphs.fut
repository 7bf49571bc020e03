-- Graphs, sparse matrices, geometry, search and tabular dynamic programming.

-- ---------------------------------------------------------------- helpers --

def exscan [n] (xs: [n]i64) : [n]i64 =
  map2 (-) (scan (+) 0 xs) xs

def bisect [n] 't (before: t -> bool) (xs: [n]t) : i64 =
  (loop (l, r) = (0, n) while l < r do
     let m = l + (r - l) / 2
     in if before xs[m] then (m + 1, r) else (l, m)).0

def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x21f0aaad
  let x = (x ^ (x >> 15)) * 0x735a2d97
  in x ^ (x >> 15)

def bits_for (n: i64) : i32 = 64 - i64.clz (i64.max 1 (n - 1))

-- Stable split on one bit at a time.
def sort_by [n] 't (bits: i32) (key: t -> u64) (xs: [n]t) : [n]t =
  loop xs for i < bits do
    let ones = map (\x -> i64.u64 ((key x >> u64.i32 i) & 1)) xs
    let before = exscan ones
    let zeros = n - i64.sum ones
    let dest = map3 (\j b o -> if o == 1 then zeros + b else j - b) (iota n) before ones
    in scatter (copy xs) dest xs

-- Expand every element i into size(i) elements (i, k).
def expand [n] (sizes: [n]i64) : [](i64, i64) =
  let offsets = exscan sizes
  let total = i64.sum sizes
  let heads = hist i64.max 0 total
                   (map2 (\o s -> if s > 0 then o else -1) offsets sizes) (iota n)
  let owners = scan i64.max 0 heads
  in map2 (\o i -> (o, i - offsets[o])) owners (iota total)

def min_by_fst (a: i64, i: i64) (b: i64, j: i64) : (i64, i64) =
  if a < b || (a == b && i < j) then (a, i) else (b, j)

def argmin [n] (xs: [n]i64) : (i64, i64) =
  reduce_comm min_by_fst (i64.highest, i64.highest) (zip xs (iota n))

module csr = {
  type t [n][m] = {ptr: [n + 1]i64, idx: [m]i64, eid: [m]i64}

  -- Group edges by source; order within a row is that of the edge list.
  def by_source [m] (n: i64) (us: [m]i64) (vs: [m]i64) : t [n][m] =
    let eid = sort_by (bits_for n) (\e -> u64.i64 us[e]) (iota m)
    let degs = hist (+) 0 n us (replicate m 1)
    in { ptr = ([0] ++ scan (+) 0 degs) :> [n + 1]i64
       , idx = map (\e -> vs[e]) eid
       , eid }

  def degree [n][m] (g: t [n][m]) (v: i64) : i64 = g.ptr[v + 1] - g.ptr[v]
}

-- Every undirected edge in both directions, self loops pointing nowhere.
def symmetric [m] (us: [m]i32) (vs: [m]i32) : ([m + m]i64, [m + m]i64) =
  let clean u v = if u == v then (-1, 0) else (i64.i32 u, i64.i32 v)
  in unzip (map2 clean us vs ++ map2 clean vs us)

-- Follow parent pointers until they are all roots.
def shortcut [n] (parent: [n]i64) : [n]i64 =
  (loop (parent, go) = (parent, true) while go do
     let next = map (\p -> parent[p]) parent
     in (next, or (map2 (!=) next parent))).0

-- --------------------------------------------------------- sparse matrices --

-- CSR with sorted columns from an edge list, and distinct entries per row.
entry csr_build [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n + 1]i64, [m]i32, [n]i32) =
  let bits = bits_for n
  let key (u: i32, v: i32) = (u64.i32 u << u64.i32 bits) | u64.i32 v
  let edges = sort_by (2 * bits) key (zip us vs)
  let rows = map (\(u, _) -> i64.i32 u) edges
  let fresh = tabulate m (\i -> i32.bool (i == 0 || edges[i - 1] != edges[i]))
  let degs = hist (+) 0 n rows (replicate m 1i64)
  in (([0] ++ scan (+) 0 degs) :> [n + 1]i64, map (.1) edges, hist (+) 0 n rows fresh)

-- A CSR matrix with the given row sizes and hashed columns, and its transpose.
entry csr_transpose [n] (cols: i64) (sizes: [n]i32)
    : ([n + 1]i64, [cols + 1]i64, []i64, []f32) =
  let sizes = map i64.i32 sizes
  let ptr = ([0] ++ scan (+) 0 sizes) :> [n + 1]i64
  let (rows, ks) = unzip (expand sizes)
  let js = map2 (\r k -> i64.u32 (mix (u32.i64 (r * 31 + k))) % cols) rows ks
  let vals = map2 (\r k -> f32.i64 (r % 100) + f32.i64 k / 8) rows ks
  let t = csr.by_source cols js rows
  in (ptr, t.ptr, t.idx, map (\e -> vals[e]) t.eid)

entry degree_stats [m] (n: i64) (us: [m]i32) (vs: [m]i32)
    : ([65]i64, [65]i64, i64, i64, i64) =
  let ones = replicate m 1i64
  let outs = hist (+) 0 n (map i64.i32 us) ones
  let ins = hist (+) 0 n (map i64.i32 vs) ones
  let spread_of degs = hist (+) 0 65 (map (i64.min 64) degs) (replicate n 1)
  let (top, who) = argmin (map (\x -> -x) outs)
  let mixing = i64.sum (map2 (\u v -> outs[u] * ins[v]) us vs)
  in (spread_of outs, spread_of ins, -top, who, mixing)

-- One product in four formats: COO, CSR, segmented scan, and ELLPACK.
entry spmv_formats [m][n] (us: [m]i32) (vs: [m]i32) (ws: [m]f32) (xs: [n]f64)
    : ([n]f64, [n]f64, [n]f64, [n]f64) =
  let us = map i64.i32 us
  let vs = map i64.i32 vs
  let prod w v = f64.f32 w * xs[v]
  let coo = hist (+) 0 n us (map2 prod ws vs)
  let g = csr.by_source n us vs
  let vals = map (\e -> ws[e]) g.eid
  let by_rows =
    tabulate n (\r -> loop acc = 0 for k in g.ptr[r]..<g.ptr[r + 1] do
                        acc + prod vals[k] g.idx[k])
  let heads = tabulate m (\k -> k == 0 || us[g.eid[k - 1]] != us[g.eid[k]])
  let sums = scan (\(f1, x1) (f2, x2) -> (f1 || f2, if f2 then x2 else x1 + x2))
                  (false, 0) (zip heads (map2 prod vals g.idx))
  let segmented =
    tabulate n (\r -> if csr.degree g r == 0 then 0 else sums[g.ptr[r + 1] - 1].1)
  let width = i64.maximum (tabulate n (csr.degree g))
  let ell = tabulate_2d n width (\r k -> if k < csr.degree g r
                                         then (vals[g.ptr[r] + k], g.idx[g.ptr[r] + k])
                                         else (0, 0))
  in (coo, by_rows, segmented, map (\row -> f64.sum (map (uncurry prod) row)) ell)

-- Sparse rows of varying length times a dense block, then the sampled product
-- of the result with the block at the same positions.
entry spmm_sddmm [n][k][m][d] (lens: [n]u8) (cols: [n][k]i32) (vals: [n][k]f32) (block: [m][d]f32)
    : ([n][d]f32, [n][k]f32) =
  let len l = i64.u8 l % (k + 1)
  let mul l js ws =
    loop acc = replicate d 0 for p < len l do
      map2 (\a b -> a + ws[p] * b) acc block[js[p]]
  let dense = map3 mul lens cols vals
  let sampled l row js =
    map2 (\p j -> if p < len l then f32.sum (map2 (*) row block[i64.i32 j]) else 0)
         (iota k) js
  in (dense, map3 sampled lens dense cols)

-- Powers of a sparse matrix on a vector (normalised), and walks modulo a prime.
entry sparse_powers [n][k] (steps: i32) (cols: [n][k]i32) (vals: [n][k]f64) (x0: [n]f64)
    : ([n]f64, [n]i64, f64) =
  let p = 1000003
  let apply x = map2 (\js ws -> f64.sum (map2 (\j w -> w * x[i64.i32 j]) js ws)) cols vals
  let walk c = map (\js -> i64.sum (map (\j -> c[i64.i32 j]) js) % p) cols
  in loop (x, c, _) = (x0, replicate n 1, 1) for _i < steps do
       let y = apply x
       let norm = f64.maximum (map f64.abs y)
       in (map (/ norm) y, walk c, norm)

entry pagerank [m] (n: i64) (iters: i32) (damping: f64) (us: [m]i32) (vs: [m]i32) : ([n]f64, f64) =
  let us = map i64.i32 us
  let vs = map i64.i32 vs
  let outs = hist (+) 0 n us (replicate m 1i64)
  let init = replicate n (1 / f64.i64 n)
  in loop (rank, _) = (init, 0) for _i < iters do
       let share = map2 (\r d -> if d == 0 then 0 else r / f64.i64 d) rank outs
       let dangling = f64.sum (map2 (\r d -> if d == 0 then r else 0) rank outs)
       let incoming = hist (+) 0 n vs (map (\u -> share[u]) us)
       let base = (1 - damping + damping * dangling) / f64.i64 n
       let next = map (\x -> base + damping * x) incoming
       in (next, f64.sum (map2 (\a b -> f64.abs (a - b)) next rank))

entry hits [m] (n: i64) (iters: i32) (us: [m]i32) (vs: [m]i32) : ([n]f32, [n]f32) =
  let us = map i64.i32 us
  let vs = map i64.i32 vs
  let normalise (xs: [n]f32) =
    let s = f64.sqrt (f64.sum (map (\x -> f64.f32 x ** 2) xs))
    in map (\x -> f32.f64 (f64.f32 x / s)) xs
  in loop (hub, _) = (replicate n 1, replicate n 1) for _i < iters do
       let auth = normalise (hist (+) 0 n vs (map (\u -> hub[u]) us))
       let hub = normalise (hist (+) 0 n us (map (\v -> auth[v]) vs))
       in (hub, auth)

-- ----------------------------------------------------------------- graphs --

-- Every vertex takes the commonest label of its neighbours (lowest on ties).
entry label_propagation [n][k] (rounds: i32) (labels: i64) (nbrs: [n][k]i32)
    : ([n]i32, [labels]i64, i64) =
  let vote (lab: [n]i32) js =
    let ls = map (\j -> lab[i64.i32 j]) js
    let (_, best) =
      loop (c, b) = (0i64, 0) for l in ls do
        let count = i64.sum (map (\x -> i64.bool (x == l)) ls)
        in if count > c || (count == c && l < b) then (count, l) else (c, b)
    in best
  let start = tabulate n (\v -> i32.u32 (mix (u32.i64 v)) & 0x7fffffff)
              |> map (\h -> h % i32.i64 labels)
  let (lab, moved) =
    loop (lab, _) = (start, 0) for _i < rounds do
      let next = map (vote lab) nbrs
      in (next, i64.sum (map2 (\a b -> i64.bool (a != b)) next lab))
  in (lab, hist (+) 0 labels (map i64.i32 lab) (replicate n 1), moved)

-- Connected components by hooking and shortcutting.
entry components [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n]i64, i64, i64) =
  let (label, _) =
    loop (parent, go) = (iota n, true) while go do
      let ends = map2 (\u v -> let (a, b) = (parent[u], parent[v])
                               in (i64.max a b, i64.min a b)) us vs
      let (his, los) = unzip (map (\(a, b) -> if a == b then (-1, 0) else (a, b)) ends)
      let hooked = reduce_by_index (copy parent) i64.min i64.highest his los
      in (shortcut hooked, any (>= 0) his)
  let sizes = hist (+) 0 n label (replicate n 1)
  in (label, i64.sum (map2 (\l v -> i64.bool (l == v)) label (iota n)), i64.maximum sizes)

-- Luby's maximal independent set.  Status: 0 live, 1 chosen, 2 excluded.
entry luby_mis [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n]u8, i64, i32) =
  let (src, dst) = symmetric us vs
  let (status, rounds) =
    loop (status, round) = (replicate n 0u8, 0) while any (== 0) status do
      let prio v = (i64.u32 (mix (u32.i64 v ^ mix (u32.i32 round))) << 30) | v
      let active u v = u >= 0 && status[u] == 0 && status[v] == 0
      let rivals = hist i64.min i64.highest n
                        (map2 (\u v -> if active u v then u else -1) src dst)
                        (map prio dst)
      let status = map3 (\v s r -> if s == 0 && prio v < r then 1 else s)
                        (iota n) status rivals
      let struck = hist (||) false n src
                        (map2 (\u v -> u >= 0 && status[v] == 1) src dst)
      in (map2 (\s x -> if s == 0 && x then 2 else s) status struck, round + 1)
  in (status, i64.sum (map (\s -> i64.bool (s == 1)) status), rounds)

-- Greedy colouring in rounds: local maxima take the lowest free colour.
entry colouring [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n]i8, [64]i64, i32) =
  let (src, dst) = symmetric us vs
  let prio = tabulate n (\v -> (i64.u32 (mix (u32.i64 v)) << 30) | (v + 1))
  let (colour, rounds) =
    loop (colour, round) = (replicate n (-1i8), 0i32) while any (< 0) colour do
      let pending u v = u >= 0 && colour[u] < 0 && colour[v] < 0
      let rival = hist i64.max 0 n src (map2 (\u v -> if pending u v then prio[v] else 0) src dst)
      let taken = hist (|) 0u64 n src
                       (map2 (\u v -> if u >= 0 && colour[v] >= 0
                                      then 1 << u64.i8 colour[v] else 0) src dst)
      let pick c p r t = if c < 0 && p > r then i8.i32 (i32.min 63 (u64.ctz (!t))) else c
      in (map4 pick colour prio rival taken, round + 1)
  in (colour, hist (+) 0 64 (map i64.i8 colour) (replicate n 1), rounds)

-- Triangles by merging sorted out-neighbourhoods; per vertex and in total.
entry triangles [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n]i64, i64, i64) =
  let bits = bits_for n
  let degs = map2 (+) (hist (+) 0 n (map i64.i32 us) (replicate m 1))
                      (hist (+) 0 n (map i64.i32 vs) (replicate m 1))
  let orient u v =
    let (u, v) = (i64.i32 u, i64.i32 v)
    in if degs[u] < degs[v] || (degs[u] == degs[v] && u < v) then (u, v) else (v, u)
  let codes =
    map2 orient us vs
    |> filter (\(u, v) -> u != v)
    |> map (\(u, v) -> (u64.i64 u << u64.i32 bits) | u64.i64 v)
    |> sort_by (2 * bits) id
  let k = length codes
  let distinct =
    filter (\i -> i == 0 || codes[i] != codes[i - 1]) (iota k)
    |> map (\i -> codes[i])
  let src = map (\c -> i64.u64 (c >> u64.i32 bits)) distinct
  let dst = map (\c -> i64.u64 c & ((1 << i64.i32 bits) - 1)) distinct
  let ptr = [0] ++ scan (+) 0 (hist (+) 0 n src (map (const 1) src))
  let common u v =
    (loop (c, i, j) = (0, ptr[u], ptr[v]) while i < ptr[u + 1] && j < ptr[v + 1] do
       let (a, b) = (dst[i], dst[j])
       in if a < b then (c, i + 1, j)
          else if a > b then (c, i, j + 1)
          else (c + 1, i + 1, j + 1)).0
  let found = map2 common src dst
  in (hist (+) 0 n src found, i64.sum found, length distinct)

-- Core numbers by peeling.
entry kcore [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n]i32, i32, i32) =
  let (src, dst) = symmetric us vs
  let (core, _, k, rounds) =
    loop (core, alive, k, rounds) = (replicate n 0, replicate n true, 1i32, 0i32)
    while or alive do
      let degs = hist (+) 0 n src
                      (map2 (\u v -> i32.bool (u >= 0 && alive[u] && alive[v])) src dst)
      let weak = map2 (\a d -> a && d < k) alive degs
      in if or weak
         then (core, map2 (\a w -> a && !w) alive weak, k, rounds + 1)
         else (map2 (\c a -> if a then k else c) core alive, alive, k + 1, rounds + 1)
  in (core, k - 1, rounds)

-- Breadth-first search with frontier arrays; the lowest parent wins.
entry bfs [m] (n: i64) (source: i64) (us: [m]i32) (vs: [m]i32) : ([n]i32, [n]i64, i64) =
  let g = csr.by_source n (map i64.i32 us) (map i64.i32 vs)
  let (level, parent, _, _) =
    loop (level, parent, frontier, depth) =
      ( replicate n (-1i32) with [source] = 0
      , replicate n (-1i64) with [source] = source
      , [source], 1 )
    while length frontier > 0 do
      let (owner, k) = unzip (expand (map (csr.degree g) frontier))
      let from = map (\o -> frontier[o]) owner
      let to = map2 (\u j -> g.idx[g.ptr[u] + j]) from k
      let best = hist i64.min i64.highest n
                      (map (\v -> if level[v] < 0 then v else -1) to) from
      let fresh = filter (\v -> best[v] != i64.highest) (iota n)
      in ( scatter level fresh (map (const depth) fresh)
         , scatter parent fresh (map (\v -> best[v]) fresh)
         , fresh, depth + 1 )
  in (level, parent, i64.sum (map (\l -> i64.bool (l >= 0)) level))

-- Bellman-Ford with parents: (distance, parent) pairs under a tuple operator.
entry sssp_parents [m] (n: i64) (source: i64) (us: [m]i32) (vs: [m]i32) (ws: [m]i32)
    : ([n]i64, [n]i64, i32) =
  let none = (i64.highest, i64.highest)
  let start = replicate n none with [source] = (0, source)
  let (best, _, rounds) =
    loop (best, go, rounds) = (start, true, 0) while go do
      let offers = map3 (\u v w -> let d = best[u].0
                                   in if d == i64.highest then (-1, none)
                                      else (i64.i32 v, (d + i64.i32 w, i64.i32 u)))
                        us vs ws
      let (is, xs) = unzip offers
      let next = reduce_by_index (copy best) min_by_fst none is xs
      let changed = or (map2 (\a b -> a != b) next best)
      in (next, changed, rounds + 1)
  let (dist, parent) = unzip (map (\(d, p) -> if d == i64.highest then (-1, -1) else (d, p)) best)
  in (dist, parent, rounds)

-- Rounds in the manner of delta stepping: settle a bucket by its light edges,
-- then relax its heavy edges once.
entry delta_rounds [m] (n: i64) (delta: i32) (us: [m]i32) (vs: [m]i32) (ws: [m]i32)
    : ([n]i32, i32, i32) =
  let far = i32.highest
  let relax (dist: *[n]i32) (live: i32 -> i32 -> bool) : *[n]i32 =
    let offer u v w = if dist[u] < far && live dist[u] w
                      then (i64.i32 v, dist[u] + w) else (-1, far)
    let (is, ds) = unzip (map3 offer us vs ws)
    in reduce_by_index dist i32.min far is ds
  let (dist, _, buckets, passes) =
    loop (dist, b, buckets, passes) = (replicate n far with [0] = 0, 0, 0, 0)
    while b < far do
      let inside d = d / delta == b
      let (dist, _, passes) =
        loop (dist, go, passes) = (dist, true, passes) while go do
          let next = relax (copy dist) (\d w -> inside d && w <= delta)
          in (next, or (map2 (!=) next dist), passes + 1)
      let dist = relax (copy dist) (\d w -> inside d && w > delta)
      let later = map (\d -> if d < far && d / delta > b then d / delta else far) dist
      in (dist, i32.minimum later, buckets + 1, passes)
  in (map (\d -> if d == far then -1 else d) dist, buckets, passes)

-- Boruvka's minimum spanning forest; ties are broken by edge number.
entry boruvka [m] (n: i64) (us: [m]i32) (vs: [m]i32) (ws: [m]i32) : (i64, i64, [m]bool) =
  let (_, chosen, _) =
    loop (comp, chosen, go) = (iota n, replicate m false, true) while go do
      let ends = map2 (\u v -> (comp[u], comp[v])) us vs
      let key e = (i64.i32 ws[e] << 32) | e
      let keys = map2 (\e (a, b) -> if a == b then i64.highest else key e) (iota m) ends
      let (as, bs) = unzip ends
      let best = reduce_by_index (hist i64.min i64.highest n as keys)
                                 i64.min i64.highest bs keys
      let picks = map (\k -> if k == i64.highest then -1 else k & 0xffffffff) best
      let hook c e =
        if e < 0 then c
        else let (a, b) = ends[e]
             let other = if a == c then b else a
             in if picks[other] == e && c < other then c else other
      let parent = map2 hook (iota n) picks
      let root = shortcut parent
      in ( map (\c -> root[c]) comp
         , scatter chosen picks (map (const true) picks)
         , any (>= 0) picks )
  let weight = i64.sum (map2 (\c w -> if c then i64.i32 w else 0) chosen ws)
  in (weight, i64.sum (map i64.bool chosen), chosen)

-- Walkers on a graph; visits are tallied after every step.
entry walk_visits [n][k] (walkers: i64) (steps: i32) (nbrs: [n][k]i32) : ([n]i32, [walkers]i32, i64) =
  let move t w at =
    let h = mix (u32.i64 w ^ mix (u32.i32 t + 17))
    in if h % 64 == 0 then i32.u32 (h >> 8) % i32.i64 n
       else nbrs[i64.i32 at, i64.u32 (h >> 6) % k]
  let start = tabulate walkers (\w -> i32.i64 (w % n))
  let (visits, at) =
    loop (visits, at) = (replicate n 0, start) for t < steps do
      let at = map2 (move t) (iota walkers) at
      in (reduce_by_index visits (+) 0 (map i64.i32 at) (map (const 1) at), at)
  in (visits, at, i64.sum (map (\v -> i64.bool (v == 0)) visits))

-- Prim's algorithm on points in the plane (squared distances).
entry prim_points [n] (xs: [n]i32) (ys: [n]i32) : (i64, [n]i64) =
  let sq (a: i64) = a * a
  let dist i j = sq (i64.i32 (xs[i] - xs[j])) + sq (i64.i32 (ys[i] - ys[j]))
  let done = i64.highest
  let (total, _, parent, _, _) =
    loop (total, cost, parent, inside, v) =
      (0, replicate n (done - 1), replicate n 0, replicate n false, 0)
    for _i < n - 1 do
      let inside[v] = true
      let (cost, parent) =
        map4 (\i c p s -> if s then (done, p)
                          else let d = dist v i in if d < c then (d, v) else (c, p))
             (iota n) cost parent inside
        |> unzip
      let (d, next) = argmin cost
      in (total + d, cost, parent, inside, next)
  in (total, parent)

-- Union-find with path halving, strictly one edge after another.
entry union_find [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n]i64, i64, [m]bool) =
  let find (parent: *[n]i64) (x: i64) : (*[n]i64, i64) =
    loop (parent, x) while parent[x] != x do
      let up = parent[parent[x]]
      let parent[x] = up
      in (parent, up)
  let (parent, sets, joined) =
    loop (parent, sets, joined) = (iota n, n, replicate m false) for e < m do
      let (parent, a) = find parent (i64.i32 us[e])
      let (parent, b) = find parent (i64.i32 vs[e])
      in if a == b then (parent, sets, joined)
         else let parent[i64.max a b] = i64.min a b
              let joined[e] = true
              in (parent, sets - 1, joined)
  in (shortcut parent, sets, joined)

-- Levels of a DAG (edges from lower to higher hash) by Kahn's rounds.
entry topo_levels [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n]i32, i32, [n]i32) =
  let rank v = (u64.u32 (mix (u32.i32 v)) << 32) | u64.i32 v
  let (src, dst) =
    map2 (\u v -> if rank u < rank v then (i64.i32 u, i64.i32 v)
                  else if u == v then (-1, -1) else (i64.i32 v, i64.i32 u)) us vs
    |> unzip
  let waiting = hist (+) 0 n dst (replicate m 1i32)
  let (level, _, depth) =
    loop (level, waiting, depth) = (replicate n (-1), waiting, 0) while any (< 0) level do
      let ready = map2 (\l w -> l < 0 && w == 0) level waiting
      let level = map2 (\r l -> if r then depth else l) ready level
      let released = map2 (\u v -> if u >= 0 && ready[u] then v else -1) src dst
      in (level, reduce_by_index waiting (+) 0 released (map (const (-1)) released), depth + 1)
  let longest_in = hist i32.max 0 n dst (map (\u -> if u < 0 then 0 else level[u] + 1) src)
  in (level, depth, longest_in)

-- ------------------------------------------------------------------ trees --

-- A random recursive tree: the parent of i is drawn among 0..i-1.
def tree_parents [n] (draws: [n]i32) : [n]i64 =
  map2 (\i d -> if i == 0 then 0 else i64.i32 d % i) (iota n) draws

-- Depth and weighted distance to the root by pointer doubling.
entry tree_depths [n] (draws: [n]i32) (ws: [n]i32) : ([n]i32, [n]i64, i32, [64]i64) =
  let parent = tree_parents draws
  let init = tabulate n (\i -> if i == 0 then (0i32, 0i64) else (1, i64.i32 ws[i]))
  let (acc, _) =
    loop (acc, jump) = (init, parent) while any (!= 0) jump do
      ( map2 (\(d, w) j -> (d + acc[j].0, w + acc[j].1)) acc jump
      , map (\j -> jump[j]) jump )
  let (depth, dist) = unzip acc
  in (depth, dist, i32.maximum depth,
      hist (+) 0 64 (map (i64.i32 >-> i64.min 63) depth) (replicate n 1))

-- Preorder numbers and subtree sizes from an Euler tour ranked by jumping.
-- Arc 2v goes down into v, arc 2v+1 back up.
entry euler_tour [n] (draws: [n]i32) : ([n]i64, [n]i64) =
  let parent = tree_parents draws
  let order = sort_by (bits_for n) (\v -> u64.i64 parent[v]) (drop 1 (iota n))
  let kids = hist (+) 0 n (map (\v -> parent[v]) order) (map (const 1) order)
  let first = exscan kids
  let position = scatter (replicate n 0) order (indices order)
  let n2 = 2 * n
  let next arc =
    let v = arc / 2
    in if arc % 2 == 0
       then (if kids[v] > 0 then 2 * order[first[v]] else 2 * v + 1)
       else if v == 0 then arc
       else let p = parent[v]
            let i = position[v] + 1
            in if i < first[p] + kids[p] then 2 * order[i] else 2 * p + 1
  let succ = tabulate n2 next
  let down = tabulate n2 (\a -> i64.bool (a % 2 == 0))
  let (remaining, _) =
    loop (acc, succ) = (down, succ) for _i < i64.i32 (bits_for n2) + 1 do
      ( map3 (\a x s -> if s == a then x else x + acc[s]) (iota n2) acc succ
      , map (\s -> succ[s]) succ )
  let pre = tabulate n (\v -> n - remaining[2 * v])
  in (pre, tabulate n (\v -> remaining[2 * v] - remaining[2 * v + 1]))

-- Lowest common ancestors by binary lifting.
entry lca_queries [n][q] (draws: [n]i32) (as: [q]i32) (bs: [q]i32) : ([q]i64, [q]i32) =
  let parent = tree_parents draws
  let logs = i64.i32 (bits_for n) + 1
  let up = (loop (table, row) = (replicate logs (replicate n 0), parent) for l < logs do
              (table with [l] = copy row, map (\p -> row[p]) row)).0
  let depth =
    (loop (d, jump) = (tabulate n (\i -> i32.bool (i > 0)), parent) for _l < logs do
       (map2 (\x j -> x + d[j]) d jump, map (\j -> jump[j]) jump)).0
  let lift v k = loop v for l < logs do if (k >> i32.i64 l) & 1 == 1 then up[l, v] else v
  let query a b =
    let (a, b) = if depth[a] < depth[b] then (i64.i32 b, i64.i32 a) else (i64.i32 a, i64.i32 b)
    let a' = lift a (depth[a] - depth[b])
    let (x, y) =
      loop (x, y) = (a', b) for l' < logs do
        let l = logs - 1 - l'
        in if up[l, x] != up[l, y] then (up[l, x], up[l, y]) else (x, y)
    let c = if x == y then x else parent[x]
    in (c, depth[a] + depth[b] - 2 * depth[c])
  in unzip (map2 query as bs)

-- --------------------------------------------------------------- geometry --

-- Cell lists: neighbours within a radius, the nearest of them, and the closest
-- pair of every cell.
entry cell_neighbours [n] (side: i64) (width: i32) (xs: [n]i32) (ys: [n]i32)
    : ([n]i32, [n]i64, [side][side]i64, i64, i64, i64) =
  let clamp c = i64.max 0 (i64.min (side - 1) (i64.i32 (c / width)))
  let cell i = clamp ys[i] * side + clamp xs[i]
  let order = sort_by (bits_for (side * side)) (\i -> u64.i64 (cell i)) (iota n)
  let counts = hist (+) 0 (side * side) (map cell order) (replicate n 1)
  let starts = exscan counts
  let sq (a: i64) = a * a
  let r2 = sq (i64.i32 width)
  let none = (i64.highest, i64.highest)
  let look i =
    loop (c, best) = (0i32, none) for dy in -1...1 do
      loop (c, best) for dx in -1...1 do
        let (cy, cx) = (clamp ys[i] + dy, clamp xs[i] + dx)
        in if cy < 0 || cy >= side || cx < 0 || cx >= side then (c, best)
           else let k = cy * side + cx
                in loop (c, best) for p in starts[k]..<starts[k] + counts[k] do
                     let j = order[p]
                     let d = sq (i64.i32 (xs[i] - xs[j])) + sq (i64.i32 (ys[i] - ys[j]))
                     in if j == i || d > r2 then (c, best)
                        else (c + 1, min_by_fst best (d, j))
  let (counts_in, nearest) = unzip (map look (iota n))
  let least (d1: i64, i1: i64, j1: i64) (d2: i64, i2: i64, j2: i64) =
    if d1 < d2 || (d1 == d2 && (i1 < i2 || (i1 == i2 && j1 < j2)))
    then (d1, i1, j1) else (d2, i2, j2)
  let none3 = (i64.highest, i64.highest, i64.highest)
  let per_cell = hist least none3 (side * side) (map cell (iota n))
                      (map2 (\i (d, j) -> (d, i, j)) (iota n) nearest)
  let (d, i, j) = reduce_comm least none3 per_cell
  in ( counts_in
     , map (\(_, j) -> if j == i64.highest then -1 else j) nearest
     , unflatten (map (\(d, _, _) -> if d == i64.highest then -1 else d) per_cell)
     , d, i, j )

-- Convex layers by gift wrapping: the layer of every point, 0 if beyond the
-- last one wanted.
entry convex_layers [n] (layers: i64) (xs: [n]i32) (ys: [n]i32) : ([n]i32, [layers]i64) =
  let cross o a b =
    let (ox, oy) = (i64.i32 xs[o], i64.i32 ys[o])
    in (i64.i32 xs[a] - ox) * (i64.i32 ys[b] - oy) - (i64.i32 ys[a] - oy) * (i64.i32 xs[b] - ox)
  let span o a = let dx = i64.i32 (xs[a] - xs[o])
                 let dy = i64.i32 (ys[a] - ys[o])
                 in dx * dx + dy * dy
  let lefter a b =
    if b < 0 then a else if a < 0 then b
    else if xs[a] != xs[b] then (if xs[a] < xs[b] then a else b)
    else if ys[a] != ys[b] then (if ys[a] < ys[b] then a else b)
    else i64.min a b
  -- The most clockwise point seen from o; farther, then lower number on ties.
  let turn o a b =
    if b < 0 then a else if a < 0 then b
    else let c = cross o a b
         in if c > 0 then a else if c < 0 then b
            else if span o a != span o b then (if span o a > span o b then a else b)
            else i64.min a b
  let wrap (layer: [n]i32) (l: i32) : ([n]i32, i64) =
    let live = map2 (\i x -> if x == 0 then i else -1) (iota n) layer
    let first = reduce_comm lefter (-1) live
    let (layer, _, size, _) =
      loop (layer, at, size, go) = (copy layer, first, 0, first >= 0) while go do
        let layer[at] = l
        let candidates = map (\i -> if i >= 0 && (xs[i] != xs[at] || ys[i] != ys[at])
                                    then i else -1) live
        let next = reduce_comm (turn at) (-1) candidates
        in (layer, next, size + 1, next >= 0 && next != first)
    in (layer, size)
  in loop (layer, sizes) = (replicate n 0, replicate layers 0) for l < layers do
       let (layer, size) = wrap layer (i32.i64 (l + 1))
       in (layer, sizes with [l] = size)

-- The first polygon that holds each point (crossing rule), and tallies.
entry point_location [p][q][k] (px: [p]i32) (py: [p]i32) (qx: [q][k]i32) (qy: [q][k]i32)
    : ([p]i32, [q]i64) =
  let inside x y (vx: [k]i32) (vy: [k]i32) =
    let crosses i =
      let j = if i == 0 then k - 1 else i - 1
      let (x1, y1) = (i64.i32 vx[i], i64.i32 vy[i])
      let (x2, y2) = (i64.i32 vx[j], i64.i32 vy[j])
      let side = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
      in (y1 > y) != (y2 > y) && (if y2 > y1 then side > 0 else side < 0)
    in i32.sum (map (\i -> i32.bool (crosses i)) (iota k)) % 2 == 1
  let locate x y =
    let (x, y) = (i64.i32 x, i64.i32 y)
    in loop f = -1 for i < q do
         if f < 0 && inside x y qx[i] qy[i] then i32.i64 i else f
  let found = map2 locate px py
  in (found, hist (+) 0 q (map i64.i32 found) (replicate p 1))

-- Polygons given as runs of vertices: doubled areas, bounding boxes, and the
-- perimeter of the whole lot.
entry polygon_areas [n] (starts: [n]bool) (xs: [n]i32) (ys: [n]i32)
    : ([]i64, [][4]i32, f64, i64) =
  let heads = tabulate n (\i -> i == 0 || starts[i])
  let poly = map (\x -> x - 1) (scan (+) 0 (map i64.bool heads))
  let firsts = filter (\i -> heads[i]) (iota n)
  let np = length firsts
  let next i = if i + 1 < n && !heads[i + 1] then i + 1 else firsts[poly[i]]
  let shoelace i = let j = next i
                   in i64.i32 xs[i] * i64.i32 ys[j] - i64.i32 xs[j] * i64.i32 ys[i]
  let areas = hist (+) 0 np poly (map shoelace (iota n))
  let grow (a, b, c, d) (e, f, g, h) =
    (i32.min a e, i32.min b f, i32.max c g, i32.max d h)
  let boxes = hist grow (i32.highest, i32.highest, i32.lowest, i32.lowest) np poly
                   (map2 (\x y -> (x, y, x, y)) xs ys)
  let edge i = let j = next i
               in f64.hypot (f64.i32 (xs[i] - xs[j])) (f64.i32 (ys[i] - ys[j]))
  in ( areas, map (\(a, b, c, d) -> [a, b, c, d]) boxes
     , f64.sum (map edge (iota n)), i64.sum (map i64.abs areas) )

-- Marching squares for several levels: cases, contour length, row totals.
entry marching_squares [h][w][k] (isos: [k]f32) (field: [h][w]f32)
    : ([k][16]i32, [k]f64, [k][h - 1]i32) =
  let level iso =
    let above y x = i64.bool (field[y, x] > iso)
    let case_at y x = above y x + 2 * above y (x + 1) + 4 * above (y + 1) (x + 1)
                      + 8 * above (y + 1) x
    let cases = tabulate_2d (h - 1) (w - 1) case_at
    let cut a b = if (a > iso) != (b > iso) then (f64.f32 iso - f64.f32 a) / (f64.f32 b - f64.f32 a) else 0
    let len y x =
      let c = cases[y, x]
      let t = cut field[y, x] field[y, x + 1]
      let b = cut field[y + 1, x] field[y + 1, x + 1]
      let l = cut field[y, x] field[y + 1, x]
      let r = cut field[y, x + 1] field[y + 1, x + 1]
      let one = if c == 14 then c ^ 15 else c
      in match one
         case 1 -> f64.hypot t l
         case 2 -> f64.hypot (1 - t) r
         case 13 -> f64.hypot (1 - t) r
         case 4 -> f64.hypot (1 - b) (1 - r)
         case 11 -> f64.hypot (1 - b) (1 - r)
         case 8 -> f64.hypot b (1 - l)
         case 7 -> f64.hypot b (1 - l)
         case 3 -> f64.hypot 1 (l - r)
         case 12 -> f64.hypot 1 (l - r)
         case 6 -> f64.hypot 1 (t - b)
         case 9 -> f64.hypot 1 (t - b)
         case 5 -> f64.hypot t l + f64.hypot (1 - b) (1 - r)
         case 10 -> f64.hypot (1 - t) r + f64.hypot b (1 - l)
         case _ -> 0
    in ( hist (+) 0 16 (flatten cases) (replicate ((h - 1) * (w - 1)) 1)
       , f64.sum (map f64.sum (tabulate_2d (h - 1) (w - 1) len))
       , map (\row -> i32.sum (map (\c -> i32.bool (c > 0 && c < 15)) row)) cases )
  in unzip3 (map level isos)

-- Morton order, boxes level by level above it, and box queries with a stack.
entry morton_bvh [n][q] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (qs: [q][3]f32) (r: f32)
    : ([n]i32, [q]i32, [q]i32, [6]f32) =
  let part (v: u64) =
    let v = (v | (v << 16)) & 0x030000ff
    let v = (v | (v << 8)) & 0x0300f00f
    let v = (v | (v << 4)) & 0x030c30c3
    in (v | (v << 2)) & 0x09249249
  let grid (x: f32) = part (u64.i32 (i32.max 0 (i32.min 1023 (i32.f32 (x * 1024)))))
  let codes = map3 (\x y z -> (grid x << 2) | (grid y << 1) | grid z) xs ys zs
  let order = map (.1) (sort_by 30 (.0) (zip codes (iota n)))
  let p = 1 << i64.i32 (bits_for n)
  let empty = ((f32.inf, f32.inf, f32.inf), (-f32.inf, -f32.inf, -f32.inf))
  let join ((a, b, c), (d, e, f)) ((a', b', c'), (d', e', f')) =
    ((f32.min a a', f32.min b b', f32.min c c'), (f32.max d d', f32.max e e', f32.max f f'))
  let leaf i = if i < n then let j = order[i] in let pt = (xs[j], ys[j], zs[j]) in (pt, pt)
               else empty
  -- Node i has children 2i and 2i+1; the leaves are p..2p-1.
  let tree = replicate (2 * p) empty with [p:2 * p] = (tabulate p leaf :> [2 * p - p]((f32, f32, f32), (f32, f32, f32)))
  let (tree, _) =
    loop (tree, w) = (tree, p / 2) while w >= 1 do
      let level = tabulate w (\i -> join tree[2 * (w + i)] tree[2 * (w + i) + 1])
      in (scatter tree (map (+ w) (iota w)) level, w / 2)
  let query (c: [3]f32) =
    let meets ((a, b, d), (e, f, g)) =
      a <= c[0] + r && e >= c[0] - r && b <= c[1] + r && f >= c[1] - r
      && d <= c[2] + r && g >= c[2] - r
    let (_, _, found, visited) =
      loop (stack, top, found, visited) = (replicate 64 1i64, 1i64, 0i32, 0i32)
      while top > 0 do
        let node = stack[top - 1]
        in if !(meets tree[node]) then (stack, top - 1, found, visited + 1)
           else if node >= p then (stack, top - 1, found + 1, visited + 1)
           else let stack[top - 1] = 2 * node + 1
                let stack[top] = 2 * node
                in (stack, top + 1, found, visited + 1)
    in (found, visited)
  let (found, visited) = unzip (map query qs)
  let ((a, b, c), (d, e, f)) = tree[1]
  in (map i32.i64 order, found, visited, [a, b, c, d, e, f])

-- ----------------------------------------------------------------- search --

-- n queens: a thread for each placement of the first two rows.
entry queens (n: i64) : ([n][n]i32, i64) =
  let all = (1u32 << u32.i64 n) - 1
  let count c0 c1 =
    let place (cols: u32, l: u32, r: u32) (b: u32) = (cols | b, (l | b) << 1, (r | b) >> 1)
    let live (cols, l, r) = all & !(cols | l | r)
    let s1 = place (0, 0, 0) (1 << u32.i64 c0)
    let b1 = 1u32 << u32.i64 c1
    in if live s1 & b1 == 0 then 0
       else
         let s2 = place s1 b1
         let states = replicate n (0, 0, 0) with [0] = s2
         let todo = replicate n 0 with [0] = live s2
         in (loop (states, todo, depth, found) = (states, todo, 0, 0i32) while depth >= 0 do
               if n == 2 then (states, todo, -1, 1)
               else let free = todo[depth]
               in if free == 0 then (states, todo, depth - 1, found)
                  else let b = free & (-free)
                       let todo[depth] = free ^ b
                       in if depth == n - 3 then (states, todo, depth, found + 1)
                          else let s = place states[depth] b
                               let states[depth + 1] = s
                               let todo[depth + 1] = live s
                               in (states, todo, depth + 1, found)).3
  let table = tabulate_2d n n count
  in (table, i64.sum (map i64.i32 (flatten table)))

-- Subsets of k items with a given sum: how many, the smallest, and the nodes
-- visited by a pruned search with its own stack.
entry subset_sums [m][k] (target: i32) (items: [m][k]u8) : ([m]i32, [m]i32, [m]i32) =
  let search (row: [k]u8) =
    let vals = map (\x -> i32.u8 x + 1) row
    let rest = reverse (scan (+) 0 (reverse vals))
    let (_, _, found, least, nodes) =
      loop (stack, top, found, least, nodes) =
        (replicate (2 * k + 2) (0i64, 0i32, 0i32), 1i64, 0, i32.highest, 0)
      while top > 0 do
        let (i, sum, used) = stack[top - 1]
        let top = top - 1
        let nodes = nodes + 1
        in if sum == target then (stack, top, found + 1, i32.min least used, nodes)
           else if i == k || sum > target || sum + rest[i] < target
           then (stack, top, found, least, nodes)
           else let stack[top] = (i + 1, sum, used)
                let stack[top + 1] = (i + 1, sum + vals[i], used + 1)
                in (stack, top + 2, found, least, nodes)
    in (found, if found == 0 then -1 else least, nodes)
  in unzip3 (map search items)

-- Heuristics for batches of fifteen puzzles (the boards come from random keys).
entry puzzle_heuristics [b] (keys: [b][16]u8) : ([b]i32, [b]i32, [b]bool, [128]i32) =
  let board ks =
    map2 (\i k -> i32.sum (map2 (\j k' -> i32.bool (k' < k || (k' == k && j < i)))
                                (iota 16) ks))
         (iota 16) ks
  let manhattan (t: [16]i32) =
    i32.sum (map2 (\pos v -> if v == 0 then 0
                             else i32.abs (pos / 4 - (v - 1) / 4) + i32.abs (pos % 4 - (v - 1) % 4))
                  (map i32.i64 (iota 16)) t)
  let conflicts (line: [4]i32) (home: i32 -> i32) (slot: i32 -> i32) (l: i32) =
    loop c = 0 for a < 4 do
      loop c for b in a + 1..<4 do
        let (x, y) = (line[a], line[b])
        in if x != 0 && y != 0 && home x == l && home y == l && slot x > slot y
           then c + 1 else c
  let one ks =
    let t = board ks
    let grid = unflatten (t :> [4 * 4]i32)
    let row v = (v - 1) / 4
    let col v = (v - 1) % 4
    let lc = i32.sum (map2 (\l line -> conflicts line row col l) (map i32.i64 (iota 4)) grid)
             + i32.sum (map2 (\l line -> conflicts line col row l) (map i32.i64 (iota 4))
                             (transpose grid))
    let inversions =
      loop c = 0 for i < 16 do
        loop c for j in i + 1..<16 do
          if t[j] != 0 && t[i] > t[j] then c + 1 else c
    let blank = i32.sum (map2 (\i v -> if v == 0 then i32.i64 (i / 4) else 0) (iota 16) t)
    in (manhattan t, lc, (inversions + blank) % 2 == 1)
  let (ms, lcs, ok) = unzip3 (map one keys)
  in (ms, map2 (\a c -> a + 2 * c) ms lcs, ok,
      hist (+) 0 128 (map i64.i32 ms) (map (const 1) ms))

-- ---------------------------------------------------- dynamic programming --

-- 0/1 knapsack with a table of choices and a backtrace.
entry knapsack [n] (cap: i64) (weights: [n]i32) (values: [n]i32) : (i32, i64, [n]bool) =
  let (best, took) =
    loop (best, took) = (replicate (cap + 1) 0, replicate n (replicate (cap + 1) false))
    for i < n do
      let w = i64.i32 weights[i]
      let (row, choice) =
        map2 (\c old -> if c < w then (old, false)
                        else let new = best[c - w] + values[i]
                             in if new > old then (new, true) else (old, false))
             (iota (cap + 1)) best
        |> unzip
      in (row, took with [i] = choice)
  let (picked, left) =
    loop (picked, c) = (replicate n false, cap) for i' < n do
      let i = n - 1 - i'
      in if took[i, c] then (picked with [i] = true, c - i64.i32 weights[i]) else (picked, c)
  in (best[cap], cap - left, picked)

-- Longest strictly increasing subsequence of each row (patience), with the
-- final piles and the sum of one such subsequence.
entry lis_rows [b][n] (rows: [b][n]i32) : ([b]i32, [b][n]i32, [b]i64) =
  let solve (xs: [n]i32) =
    let (tails, who, prev, len) =
      loop (tails, who, prev, len) =
        (replicate n 0i32, replicate n (-1i64), replicate n (-1i64), 0i64)
      for i < n do
        let x = xs[i]
        let (pos, _) = loop (l, r) = (0, len) while l < r do
                         let m = (l + r) / 2
                         in if tails[m] < x then (m + 1, r) else (l, m)
        let prev[i] = if pos > 0 then who[pos - 1] else -1
        let tails[pos] = x
        let who[pos] = i
        in (tails, who, prev, i64.max len (pos + 1))
    let (sum, _) =
      loop (sum, at) = (0i64, if len > 0 then who[len - 1] else -1) while at >= 0 do
        (sum + i64.i32 xs[at], prev[at])
    in (i32.i64 len, tails, sum)
  in unzip3 (map solve rows)

-- Interval scheduling: the greedy choice by jumping along "next compatible"
-- links, and the best total weight by a sequential recurrence.
entry intervals [n] (starts: [n]i32) (lens: [n]i32) (ws: [n]i32) : (i64, [n]bool, i64, [n]i64) =
  let finish i = starts[i] + lens[i]
  let order = sort_by 32 (\i -> u64.i32 (finish i)) (iota n)
  let ends = map finish order
  let begins = map (\i -> starts[i]) order
  let p = map (\s -> bisect (<= s) ends) begins
  -- by start, the earliest-ending interval from there on
  let by_start = sort_by 32 (\k -> u64.i32 begins[k]) (iota n)
  let sorted_starts = map (\k -> begins[k]) by_start
  let earliest = reverse (scan i64.min n (reverse by_start))
  let link = tabulate (n + 1) (\k -> if k == n then n
                                     else let j = bisect (< ends[k]) sorted_starts
                                          in if j == n then n else earliest[j])
  let (marked, _) =
    loop (marked, jump) = (replicate (n + 1) false with [0] = true, link)
    for _i < i64.i32 (bits_for (n + 1)) + 1 do
      let hits = map2 (\m j -> if m then j else -1) marked jump
      in ( scatter (copy marked) hits (map (const true) hits)
         , map (\j -> jump[j]) jump )
  let chosen = scatter (replicate n false) order (init marked :> [n]bool)
  let best =
    loop best = replicate (n + 1) 0 for k < n do
      let take_it = i64.i32 ws[order[k]] + best[p[k]]
      in best with [k + 1] = i64.max best[k] take_it
  in (i64.sum (map i64.bool chosen), chosen, best[n], tail best :> [n]i64)

-- Edit distance by antidiagonals, with the least cost on each of them.
entry edit_diagonals [n][m] (as: [n]u8) (bs: [m]u8) : (i32, [n + m + 1]i32) =
  -- Diagonal d holds cell (i, d-i) at index i.
  let far = 1000000000i32
  let blank = replicate (n + 1) far
  let (_, cur, mins) =
    loop (prev, cur, mins) = (blank, copy blank with [0] = 0, replicate (n + m + 1) 0)
    for d in 1...n + m do
      let cell i =
        let j = d - i
        in if j < 0 || j > m then far
           else if i == 0 then i32.i64 j
           else if j == 0 then i32.i64 i
           else let sub = prev[i - 1] + i32.bool (as[i - 1] != bs[j - 1])
                in i32.min sub (1 + i32.min cur[i - 1] cur[i])
      let next = tabulate (n + 1) cell
      in (cur, next, mins with [d] = i32.minimum next)
  in (cur[n], mins)

-- Tasks that wait for up to three earlier ones: earliest finish by rounds to a
-- fixpoint, then latest start without delaying the whole.
entry schedule_rounds [n] (deps: [n][3]i32) (time: [n]i32) : ([n]i32, [n]i32, i32, i32) =
  let dep i d = if i == 0 then -1 else let x = i64.i32 d % (2 * i) in if x < i then x else -1
  let waits = map2 (\i ds -> map (dep i) ds) (iota n) deps
  let (finish, _, rounds) =
    loop (finish, go, rounds) = (time, true, 0) while go do
      let ready ds = i32.maximum (map (\d -> if d < 0 then 0 else finish[d]) ds)
      let next = map2 (\ds t -> ready ds + t) waits time
      in (next, or (map2 (!=) next finish), rounds + 1)
  let span = i32.maximum finish
  let targets = flatten waits
  let (latest, _) =
    loop (latest, go) = (map (\t -> span - t) time, true) while go do
      let bounds = flatten (map (replicate 3) latest)
      let limit = reduce_by_index (replicate n span) i32.min span targets bounds
      let next = map2 (-) limit time
      in (next, or (map2 (!=) next latest))
  in (finish, latest, span, rounds)

-- Transitive closure with bit rows (Warshall).
entry closure [m] (n: i64) (us: [m]i32) (vs: [m]i32) : ([n]i64, [n][(n + 63) / 64]u64) =
  let w = (n + 63) / 64
  let rows =
    reduce_by_index (replicate (n * w) 0u64) (|) 0
                    (map2 (\u v -> i64.i32 u * w + i64.i32 v / 64) us vs)
                    (map (\v -> 1 << (u64.i32 v % 64)) vs)
    |> unflatten
  let reach =
    loop rows for k < n do
      let pivot = rows[k]
      in map (\row -> if (row[k / 64] >> (u64.i64 k % 64)) & 1 == 1
                      then map2 (|) row pivot else row) rows
  in (map (\row -> i64.sum (map (\x -> i64.i32 (u64.popc x)) row)) reach, reach)

-- Matrix chain order by diagonals, with the splits and the nesting depth.
entry chain_order [n1] (dims: [n1]i32) : (i64, [n1][n1]i16, i32) =
  let n = n1 - 1
  let dim i = i64.i32 dims[i]
  let (cost, split) =
    loop (cost, split) = (replicate n1 (replicate n1 0), replicate n1 (replicate n1 (-1)))
    for len in 1..<n do
      let best i =
        let j = i + len
        in reduce_comm min_by_fst (i64.highest, i64.highest)
                       (map (\k -> (cost[i, k] + cost[k + 1, j] + dim i * dim (k + 1) * dim (j + 1), k))
                            (map (+ i) (iota len)))
      let (cs, ks) = unzip (map best (iota (n - len)))
      let at = map (\i -> (i, i + len)) (iota (n - len))
      in (scatter_2d cost at cs, scatter_2d split at (map i16.i64 ks))
  let (_, _, depth) =
    loop (stack, top, depth) = (replicate (2 * n1) (0i64, n - 1, 1i32), 1i64, 0i32) while top > 0 do
      let (i, j, d) = stack[top - 1]
      in if i >= j then (stack, top - 1, i32.max depth d)
         else let k = i64.i16 split[i, j]
              let stack[top - 1] = (i, k, d + 1)
              let stack[top] = (k + 1, j, d + 1)
              in (stack, top + 1, depth)
  in (cost[0, n - 1], split, depth)
