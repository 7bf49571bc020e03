-- Analytics on columns: grouping, sorting, joining, windows and sketches.

-- ---------------------------------------------------------------- helpers --

def hash32 (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def hash_with (seed: u32) (x: i32) : u32 =
  hash32 (u32.i32 x ^ hash32 (seed * 0x9e3779b9 + 1))

def exscan [n] (xs: [n]i64) : [n]i64 =
  map2 (-) (scan (+) 0 xs) xs

def segscan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  scan (\(f1, x1) (f2, x2) -> (f1 || f2, if f2 then x2 else x1 `op` x2))
       (false, ne) (zip flags xs)
  |> map (.1)

-- First index whose element does not satisfy the (monotone) predicate.
def bisect [n] 't (before: t -> bool) (xs: [n]t) : i64 =
  (loop (l, r) = (0, n) while l < r do
     let m = l + (r - l) / 2
     in if before xs[m] then (m + 1, r) else (l, m)).0

def lower_bound [n] 't (lt: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
  bisect (`lt` x) xs

def upper_bound [n] 't (lt: t -> t -> bool) (xs: [n]t) (x: t) : i64 =
  bisect (\y -> !(x `lt` y)) xs

-- Order-preserving map of floats to unsigned integers.
def f32_order (x: f32) : u32 =
  let b = f32.to_bits x
  in if b >> 31 == 1 then !b else b | 0x80000000

def f32_unorder (k: u32) : f32 =
  f32.from_bits (if k >> 31 == 1 then k & 0x7fffffff else !k)

def i32_order (x: i32) : u32 = u32.i32 x ^ 0x80000000

module sorting = {
  local def plus4 (a0: i64, a1: i64, a2: i64, a3: i64) (b0, b1, b2, b3) =
    (a0 + b0, a1 + b1, a2 + b2, a3 + b3)

  local def step [n] 't (digit: t -> u32) (xs: [n]t) : [n]t =
    let ds = map digit xs
    let ones = map (\d -> (i64.bool (d == 0), i64.bool (d == 1),
                           i64.bool (d == 2), i64.bool (d == 3))) ds
    let counts = scan plus4 (0, 0, 0, 0) ones
    let (n0, n1, n2, _) = if n == 0 then (0, 0, 0, 0) else last counts
    let place d (c0, c1, c2, c3) =
      match d
      case 0 -> c0 - 1
      case 1 -> n0 + c1 - 1
      case 2 -> n0 + n1 + c2 - 1
      case _ -> n0 + n1 + n2 + c3 - 1
    in scatter (copy xs) (map2 place ds counts) xs

  -- Stable, least significant digit first.
  def radix_by [n] 't (bits: i32) (key: t -> u32) (xs: [n]t) : [n]t =
    loop xs for i < (bits + 1) / 2 do
      step (\x -> (key x >> u32.i32 (2 * i)) & 3) xs

  -- Stable bottom-up merge sort: every element finds its place in the sibling
  -- run by binary search.
  def merge_by [n] 't (le: t -> t -> bool) (xs: [n]t) : [n]t =
    let (xs, _) =
      loop (xs, w) = (xs, 1) while w < n do
        let dest i =
          let base = i / (2 * w) * (2 * w)
          let mid = i64.min n (base + w)
          let end = i64.min n (base + 2 * w)
          let x = xs[i]
          in if i < mid
             then i + bisect (\y -> !(x `le` y)) xs[mid:end]
             else base + (i - mid) + bisect (\y -> y `le` x) xs[base:mid]
        in (scatter (copy xs) (map dest (iota n)) xs, 2 * w)
    in xs

  local def next_pow2 (n: i64) : i64 =
    loop p = 1 while p < n do 2 * p

  -- Not stable; the order should be total.  The dummy sorts last.
  def bitonic_by [n] 't (le: t -> t -> bool) (dummy: t) (xs: [n]t) : [n]t =
    let m = next_pow2 n
    let ys = tabulate m (\i -> if i < n then xs[i] else dummy)
    let (ys, _) =
      loop (ys, k) = (ys, 2) while k <= m do
        let (ys, _) =
          loop (ys, j) = (ys, k / 2) while j > 0 do
            let pick i =
              let other = i ^ j
              let (a, b) = (ys[i], ys[other])
              let up = i & k == 0
              let low = i < other
              in if (a `le` b) == (up == low) then a else b
            in (map pick (iota m), j / 2)
        in (ys, k * 2)
    in take n ys
}

module type monoid = {
  type t
  val zero : t
  val plus : t -> t -> t
}

module mk_grouped (M: monoid) = {
  def by_key [n] (g: i64) (keys: [n]i64) (xs: [n]M.t) : [g]M.t =
    reduce_by_index (replicate g M.zero) M.plus M.zero keys xs
}

module welford = {
  type t = {count: i64, mean: f64, m2: f64}
  def zero : t = {count = 0, mean = 0, m2 = 0}
  def single (x: f64) : t = {count = 1, mean = x, m2 = 0}
  def plus (a: t) (b: t) : t =
    if a.count == 0 then b
    else if b.count == 0 then a
    else let na = f64.i64 a.count
         let nb = f64.i64 b.count
         let delta = b.mean - a.mean
         in { count = a.count + b.count
            , mean = a.mean + delta * nb / (na + nb)
            , m2 = a.m2 + b.m2 + delta * delta * na * nb / (na + nb) }
  def variance (a: t) : f64 =
    if a.count < 2 then 0 else a.m2 / f64.i64 (a.count - 1)
}

module extent = {
  type t = { lo: f32, lo_row: i64, hi: f32, hi_row: i64
           , first: i64, last: i64, any: bool, all: bool, bits: u32 }
  def zero : t = { lo = f32.inf, lo_row = i64.highest, hi = -f32.inf, hi_row = i64.highest
                 , first = i64.highest, last = -1, any = false, all = true, bits = 0 }
  def plus (a: t) (b: t) : t =
    let (lo, lo_row) =
      if a.lo < b.lo || (a.lo == b.lo && a.lo_row < b.lo_row)
      then (a.lo, a.lo_row) else (b.lo, b.lo_row)
    let (hi, hi_row) =
      if a.hi > b.hi || (a.hi == b.hi && a.hi_row < b.hi_row)
      then (a.hi, a.hi_row) else (b.hi, b.hi_row)
    in { lo, lo_row, hi, hi_row
       , first = i64.min a.first b.first, last = i64.max a.last b.last
       , any = a.any || b.any, all = a.all && b.all, bits = a.bits | b.bits }
}

module grouped_welford = mk_grouped welford
module grouped_extent = mk_grouped extent

-- --------------------------------------------------------------- group by --

-- Count, sum, mean and sample variance per group.
entry group_moments [n] (g: i64) (keys: [n]i32) (vals: [n]f64)
                  : ([g]i64, [g]f64, [g]f64, [g]f64) =
  let is = map (\k -> i64.i32 k % g) keys
  let stats = grouped_welford.by_key g is (map welford.single vals)
  let sums = hist (+) 0 g is vals
  in (map (.count) stats, sums, map (.mean) stats, map welford.variance stats)

-- Smallest and largest value with their rows, first and last row, any/all of a
-- flag, and the flags' union, in a single pass.
entry group_extents [n] (g: i64) (keys: [n]i32) (vals: [n]f32) (flags: [n]u8)
    : ([g]f32, [g]i64, [g]f32, [g]i64, [g]i64, [g]i64, [g]bool, [g]bool, [g]u32) =
  let row (i: i64) (v: f32) (f: u8) : extent.t =
    { lo = v, lo_row = i, hi = v, hi_row = i, first = i, last = i
    , any = f > 250, all = f < 255, bits = 1u32 << (u32.u8 f % 32) }
  let exts = grouped_extent.by_key g (map (\k -> i64.i32 k % g) keys)
                                   (map3 row (iota n) vals flags)
  let fin (e: extent.t) =
    if e.last < 0 then (0, -1, 0, -1, -1, -1, false, true, 0)
    else (e.lo, e.lo_row, e.hi, e.hi_row, e.first, e.last, e.any, e.all, e.bits)
  let out = map fin exts
  in ( map (\t -> t.0) out, map (\t -> t.1) out, map (\t -> t.2) out
     , map (\t -> t.3) out, map (\t -> t.4) out, map (\t -> t.5) out
     , map (\t -> t.6) out, map (\t -> t.7) out, map (\t -> t.8) out )

-- One binning, six kinds of bins.
entry weighted_histograms [n] (bins: i64) (xs: [n]f32) (ws: [n]f32)
    : ([bins]f64, [bins]f32, [bins]u8, [bins]u16, [bins]i64, [bins]bool) =
  let bin x = i64.max 0 (i64.min (bins - 1) (i64.f32 (x * f32.i64 bins)))
  let is = map bin xs
  in ( hist (+) 0 bins is (map f64.f32 ws)
     , hist (+) 0 bins is ws
     , hist (+) 0 bins is (replicate n 1u8)
     , hist u16.max 0 bins is (map (\w -> u16.f32 (w * 65535)) ws)
     , hist (+) 0 bins is (map (\w -> i64.f32 (w * 1048576)) ws)
     , hist (||) false bins is (map (> 0.875) ws) )

-- The best row per group: highest score, then lowest cost, then lowest row.
entry best_per_group [n] (g: i64) (keys: [n]u16) (scores: [n]i32) (costs: [n]f32)
    : ([g]i64, [g]i32, [g]f32) =
  let better (r1: i64, s1: i32, c1: f32) (r2: i64, s2: i32, c2: f32) =
    if s1 != s2 then (if s1 > s2 then (r1, s1, c1) else (r2, s2, c2))
    else if c1 != c2 then (if c1 < c2 then (r1, s1, c1) else (r2, s2, c2))
    else if r1 < r2 then (r1, s1, c1) else (r2, s2, c2)
  let none = (i64.highest, i32.lowest, f32.inf)
  let best = reduce_by_index (replicate g none) better none
                             (map (\k -> i64.u16 k % g) keys)
                             (zip3 (iota n) scores costs)
  in unzip3 (map (\(r, s, c) -> if r == i64.highest then (-1, 0, 0) else (r, s, c)) best)

-- How often two items share a basket, and the strongest partner of each item.
entry cooccurrence [n][k] (m: i64) (baskets: [n][k]i32) : ([m][m]i32, [m]i64, [m]f64) =
  let pairs =
    baskets
    |> map (\b -> tabulate_2d k k (\i j ->
                    let (x, y) = (i64.i32 b[i], i64.i32 b[j])
                    in if x != y then (x, y) else (-1, -1))
                  |> flatten)
    |> flatten
  let together = reduce_by_index_2d (replicate m (replicate m 0i32)) (+) 0 pairs
                                    (map (const 1) pairs)
  let sold = hist (+) 0 m (map i64.i32 (flatten baskets)) (replicate (n * k) 1i64)
  let pick row =
    reduce_comm (\(i, x) (j, y) -> if x > y || (x == y && i < j) then (i, x) else (j, y))
                (i64.highest, -1) (zip (iota m) row)
  let (partner, strength) = unzip (map pick together)
  in (together, partner, map2 (\s c -> f64.i32 s / f64.i64 (i64.max 1 c)) strength sold)

-- Sums by two dimensions with margins and percentages.
entry pivot_table [n] (r: i64) (c: i64) (rows: [n]u8) (cols: [n]i16) (amounts: [n]f32)
    : ([r][c]f64, [r]f64, [c]f64, [r][c]f64, [r][c]i32) =
  let is = map2 (\i j -> (i64.u8 i % r, i64.i16 j % c)) rows cols
  let cells =
    reduce_by_index_2d (replicate r (replicate c (0, 0)))
                       (\(s1, c1) (s2, c2) -> (s1 + s2, c1 + c2)) (0, 0)
                       is (map (\a -> (f64.f32 a, 1i32)) amounts)
  let (sums, counts) = unzip (map unzip cells)
  let row_totals = map f64.sum sums
  let col_totals = map f64.sum (transpose sums)
  let total = f64.sum row_totals
  let percent = map (map (\x -> if total == 0 then 0 else 100 * x / total)) sums
  in (sums, row_totals, col_totals, percent, counts)

-- ---------------------------------------------------------------- sorting --

-- Permutation by priority (descending), date (ascending), amount (descending),
-- row; least significant key first.
entry order_by_three [n] (prio: [n]u8) (date: [n]i32) (amount: [n]f32) : [n]i64 =
  iota n
  |> sorting.radix_by 32 (\i -> !(f32_order amount[i]))
  |> sorting.radix_by 32 (\i -> i32_order date[i])
  |> sorting.radix_by 8 (\i -> u32.u8 (!prio[i]))

-- Stable merge sort on (group, value) pairs; also the inverse permutation.
entry merge_sort_pairs [n] (groups: [n]i16) (vals: [n]f64) : ([n]i16, [n]f64, [n]i64, [n]i64) =
  let le (g1: i16, v1: f64, _: i64) (g2: i16, v2: f64, _: i64) =
    g1 < g2 || (g1 == g2 && v1 <= v2)
  let (gs, vs, perm) = unzip3 (sorting.merge_by le (zip3 groups vals (iota n)))
  in (gs, vs, perm, scatter (replicate n 0) perm (iota n))

-- Bitonic sort of codes with row numbers, then the size of each run of codes.
entry bitonic_codes [n] (codes: [n]u16) : ([n]u16, [n]i32, []u16, []i64) =
  let le (c1: u16, r1: i32) (c2: u16, r2: i32) = c1 < c2 || (c1 == c2 && r1 <= r2)
  let (cs, rows) =
    unzip (sorting.bitonic_by le (u16.highest, i32.highest) (zip codes (map i32.i64 (iota n))))
  let starts = filter (\i -> i == 0 || cs[i] != cs[i - 1]) (iota n)
  let k = length starts
  let lens = tabulate k (\j -> (if j + 1 < k then starts[j + 1] else n) - starts[j])
  in (cs, rows, map (\i -> cs[i]) starts, lens)

-- The k best rows of every group, missing ones as -1.
entry top_n_per_group [n] (g: i64) (k: i64) (keys: [n]i32) (vals: [n]f32)
    : ([g][k]i64, [g][k]f32) =
  let group i = i64.i32 keys[i] % g
  let order =
    iota n
    |> sorting.radix_by 32 (\i -> !(f32_order vals[i]))
    |> sorting.radix_by (i32.i64 (64 - i64.i32 (i64.clz g))) (\i -> u32.i64 (group i))
  let counts = hist (+) 0 g (map group (iota n)) (replicate n 1)
  let starts = exscan counts
  let at =
    map2 (\pos i -> let r = pos - starts[group i]
                    in if r < k then (group i, r) else (-1, -1))
         (iota n) order
  in ( scatter_2d (replicate g (replicate k (-1))) at order
     , scatter_2d (replicate g (replicate k 0)) at (map (\i -> vals[i]) order) )

-- Distinct values per group: once by sorted runs, once by bitmaps.
entry distinct_counts [n] (g: i64) (v: i64) (keys: [n]i32) (vals: [n]i32)
    : ([g]i64, [g]i64, i64) =
  let ks = map (\k -> i64.i32 k % g) keys
  let vs = map (\x -> i64.i32 x % v) vals
  let codes = map2 (\k x -> u32.i64 (k * v + x)) ks vs
  let sorted = sorting.radix_by (i32.i64 (64 - i64.i32 (i64.clz (g * v)))) id codes
  let heads = tabulate n (\i -> i == 0 || sorted[i] != sorted[i - 1])
  let by_runs = hist (+) 0 g (map (\c -> i64.u32 c / v) sorted) (map i64.bool heads)
  let words = (v + 63) / 64
  let bitmap = reduce_by_index (replicate (g * words) 0u64) (|) 0
                               (map2 (\k x -> k * words + x / 64) ks vs)
                               (map (\x -> 1u64 << (u64.i64 x % 64)) vs)
  let by_bits =
    unflatten bitmap |> map (\ws -> i64.sum (map (\w -> i64.i32 (u64.popc w)) ws))
  in (by_runs, by_bits, i64.sum (map i64.bool heads))

-- ---------------------------------------------------------------- windows --

def median5 (a: f32) (b: f32) (c: f32) (d: f32) (e: f32) : f32 =
  let xs =
    loop xs = [a, b, c, d, e] for i in 1...4 do
      (loop (xs, j) = (xs, i) while j > 0 && xs[j - 1] > xs[j] do
         let t = xs[j - 1]
         let xs[j - 1] = xs[j]
         let xs[j] = t
         in (xs, j - 1)).0
  in xs[2]

-- Rank, dense rank, lag, lead, running sum and a median over five rows, all
-- within partitions (the rows come sorted by partition).
entry window_functions [n] (parts: [n]i64) (order: [n]i16) (vals: [n]f32)
    : ([n]i32, [n]i32, [n]f32, [n]f32, [n]f64, [n]f32) =
  let rows =
    zip3 (map (\p -> u32.i64 p) parts) order vals
    |> sorting.radix_by 16 (\(_, o, _) -> u32.u16 (u16.i16 o) ^ 0x8000)
    |> sorting.radix_by 22 (\(p, _, _) -> p)
  let (ps, os, vs) = unzip3 rows
  let new_part = tabulate n (\i -> i == 0 || ps[i] != ps[i - 1])
  let new_value = tabulate n (\i -> new_part[i] || os[i] != os[i - 1])
  let number = segscan (+) 0 new_part (replicate n 1i32)
  let rank = segscan i32.max 0 new_part (map2 (\f r -> if f then r else 0) new_value number)
  let dense = segscan (+) 0 new_part (map i32.bool new_value)
  let near d i = let j = i + d
                 in if j >= 0 && j < n && ps[j] == ps[i] then vs[j] else 0
  let lag = tabulate n (near (-1))
  let lead = tabulate n (near 1)
  let running = segscan (+) 0 new_part (map f64.f32 vs)
  let med = tabulate n (\i -> median5 (near (-2) i) (near (-1) i) vs[i] (near 1 i) (near 2 i))
  in (rank, dense, lag, lead, running, med)

-- Exponential moving averages with irregular steps, restarted at each flag.
entry ema_segments [n] (tau: f64) (starts: [n]bool) (dts: [n]f32) (xs: [n]f32)
    : ([n]f64, [n]f64) =
  let compose (a1, b1) (a2, b2) = (a1 * a2, a2 * b1 + b2)
  let step f dt x =
    let decay = f64.exp (-(f64.f32 dt) / tau)
    in if f then (0, f64.f32 x) else (decay, (1 - decay) * f64.f32 x)
  let fast = scan compose (1, 0) (map3 step starts dts xs) |> map (.1)
  let volume = segscan (+) 0 starts (map f64.f32 xs)
  in (fast, map2 (\e v -> e - v / 1024) fast volume)

-- An irregular series resampled onto a regular grid: last value, linear
-- interpolation, and the time-weighted mean of each step.
entry resample [n] (step: i64) (gaps: [n]i32) (vals: [n]f32) : ([]f32, []f64, []f64) =
  let times = scan (+) 0 (map i64.i32 gaps)
  let t0 = times[0]
  let m = (times[n - 1] - t0) / step
  let areas =
    tabulate n (\i -> if i == 0 then 0
                      else f64.f32 vals[i - 1] * f64.i64 (times[i] - times[i - 1]))
    |> scan (+) 0
  let locate t = upper_bound (<) times t - 1
  let area t = let i = locate t
               in areas[i] + f64.f32 vals[i] * f64.i64 (t - times[i])
  let at k = t0 + k * step
  let held = tabulate m (\k -> vals[locate (at k)])
  let lerp = tabulate m (\k ->
               let t = at k
               let i = locate t
               let j = i64.min (n - 1) (i + 1)
               let w = f64.i64 (t - times[i]) / f64.i64 (i64.max 1 (times[j] - times[i]))
               in (1 - w) * f64.f32 vals[i] + w * f64.f32 vals[j])
  let mean = tabulate m (\k -> (area (at (k + 1)) - area (at k)) / f64.i64 step)
  in (held, lerp, mean)

-- Runs of equal symbols: how many per symbol, the longest and where, and the
-- distribution of lengths.
entry run_statistics [n] (symbols: i64) (maxlen: i64) (xs: [n]u8)
    : ([symbols]i64, [symbols]i64, [symbols]i64, [maxlen]i64, f64) =
  let starts = filter (\i -> i == 0 || xs[i] != xs[i - 1]) (iota n)
  let k = length starts
  let ends = rotate 1 starts with [k - 1] = n
  let lens = map2 (-) ends starts
  let syms = map (\i -> i64.u8 xs[i] % symbols) starts
  let longest =
    reduce_by_index (replicate symbols (0, i64.highest))
                    (\(l1, s1) (l2, s2) ->
                       if l1 > l2 || (l1 == l2 && s1 < s2) then (l1, s1) else (l2, s2))
                    (0, i64.highest) syms (zip lens starts)
  let lengths = hist (+) 0 maxlen (map (\l -> i64.min maxlen l - 1) lens) (map (const 1) lens)
  in ( hist (+) 0 symbols syms (map (const 1) syms)
     , map (.0) longest
     , map (\(l, s) -> if l == 0 then -1 else s) longest
     , lengths
     , f64.i64 n / f64.i64 k )

-- ------------------------------------------------ quantiles and cleaning --

-- Exact quantiles, four rounds of 256-bin histograms for all of them together.
entry quantiles [n][q] (ps: [q]f64) (xs: [n]f32) : [q]f32 =
  let keys = map f32_order xs
  let ranks = map (\p -> i64.f64 (p * f64.i64 (n - 1))) ps
  let refine (shift: u32) (prefix: u32) (rank: i64) =
    let digit (k: u32) =
      if shift == 24 || (k >> (shift + 8)) == (prefix >> (shift + 8))
      then i64.u32 ((k >> shift) & 255) else -1
    let counts = hist (+) 0 256 (map digit keys) (replicate n 1i64)
    let ends = scan (+) 0 counts
    let d = upper_bound (<) ends rank
    in (prefix | (u32.i64 d << shift), rank - (ends[d] - counts[d]))
  let (prefixes, _) =
    loop (prefixes, ranks) = (replicate q 0, ranks) for r < 4 do
      unzip (map2 (refine (u32.i32 (24 - 8 * r))) prefixes ranks)
  in map f32_unorder prefixes

-- Columns winsorised a few times to mean +- z standard deviations.
entry clip_outliers [c][n] (passes: i32) (z: f64) (cols: [c][n]f32)
    : ([c][n]f32, [c]f64, [c]f64) =
  let moments (xs: [n]f32) =
    let mean = f64.sum (map f64.f32 xs) / f64.i64 n
    let var = f64.sum (map (\x -> (f64.f32 x - mean) ** 2) xs) / f64.i64 n
    in (mean, f64.sqrt var)
  let clip xs =
    loop xs for _i < passes do
      let (mean, sd) = moments xs
      let (lo, hi) = (f32.f64 (mean - z * sd), f32.f64 (mean + z * sd))
      in map (\x -> f32.max lo (f32.min hi x)) xs
  let heavy = map (map (\x -> x * x * x)) cols
  let clipped = map clip heavy
  let (means, sds) = unzip (map moments clipped)
  in (clipped, means, sds)

-- Buckets by binary search in sorted edges; a small sample (reservoir by
-- smallest hash) of every bucket.
entry bucketize [n][b] (seed: i32) (edges: [b]i64) (xs: [n]i32)
    : ([b + 1]i64, [b + 1]f64, [b + 1]i64, [n]i16) =
  let is = map (\x -> upper_bound (<) edges (i64.i32 x)) xs
  let counts = hist (+) 0 (b + 1) is (replicate n 1)
  let sums = hist (+) 0 (b + 1) is (map i64.i32 xs)
  let pick (h1: u32, r1: i64) (h2: u32, r2: i64) =
    if h1 < h2 || (h1 == h2 && r1 < r2) then (h1, r1) else (h2, r2)
  let none = (u32.highest, i64.highest)
  let sample = reduce_by_index (replicate (b + 1) none) pick none is
                               (map (\i -> (hash_with (u32.i32 seed) (i32.i64 i), i)) (iota n))
  in ( counts
     , map2 (\s c -> f64.i64 s / f64.i64 (i64.max 1 c)) sums counts
     , map (\(_, r) -> if r == i64.highest then -1 else r) sample
     , map i16.i64 is )

-- Bootstrap means: every replicate draws with a linear congruential generator.
entry bootstrap [n] (reps: i64) (draws: i32) (seed: i32) (xs: [n]f32)
    : ([reps]f64, [reps]f32, f64) =
  let next (s: u64) = s * 6364136223846793005 + 1442695040888963407
  let one r =
    let s0 = next (u64.i64 r * 0x9e3779b97f4a7c15 + u64.i32 seed)
    let (_, sum, top) =
      loop (s, sum, top) = (s0, 0f64, -f32.inf) for _i < draws do
        let s = next s
        let x = xs[i64.u64 ((s >> 33) % u64.i64 n)]
        in (s, sum + f64.f32 x, f32.max top x)
    in (sum / f64.i32 draws, top)
  let (means, tops) = unzip (tabulate reps one)
  let grand = f64.sum means / f64.i64 reps
  in (means, tops, f64.sqrt (f64.sum (map (\m -> (m - grand) ** 2) means) / f64.i64 reps))

-- ------------------------------------------------------------------ joins --

-- Hash join.  The table (open addressing, linear probing) is built in rounds:
-- pending rows propose themselves for free slots and the lowest row wins.
entry hash_join [n][m] (keys: [n]i32) (vals: [n]i32) (queries: [m]i32)
    : ([m]i64, [m]i64, [m]i32, i64) =
  let bits = 65 - i64.i32 (i64.clz n)
  let cap = 1 << bits
  let home k = i64.u32 (hash_with 7 k) & (cap - 1)
  let free = i64.highest
  let (table, _, _) =
    loop (table, rows, slots) = (replicate cap free, iota n, map home keys)
    while length rows > 0 do
      let wanted = map (\s -> if table[s] == free then s else -1) slots
      let table = reduce_by_index table i64.min free wanted rows
      let lost = map2 (\r s -> keys[table[s]] != keys[r]) rows slots
      let (rows, slots, _) = unzip3 (filter (.2) (zip3 rows slots lost))
      in (table, rows, map (\s -> (s + 1) & (cap - 1)) slots)
  let find k =
    loop s = home k while table[s] != free && keys[table[s]] != k do
      (s + 1) & (cap - 1)
  let slots = map find keys
  let sums = hist (+) 0 cap slots (map i64.i32 vals)
  let counts = hist (+) 0 cap slots (replicate n 1i32)
  let probe k =
    let s = find k
    in if table[s] == free then (-1, 0, 0) else (table[s], sums[s], counts[s])
  let (rows, totals, matches) = unzip3 (map probe queries)
  in (rows, totals, matches, i64.sum (map i64.i32 matches))

-- Sort-merge join with duplicates on both sides: all matching pairs.
entry merge_join [n][m] (left: [n]i64) (right: [m]i64) (price: [n]f32) (qty: [m]f32)
    : ([]i64, []i64, []f32) =
  let los = map (lower_bound (<) right) left
  let his = map (upper_bound (<) right) left
  let counts = map2 (-) his los
  let offsets = exscan counts
  let total = i64.sum counts
  let owner =
    reduce_by_index (replicate total 0) i64.max 0
                    (map2 (\o c -> if c > 0 then o else -1) offsets counts) (iota n)
    |> scan i64.max 0
  let partner = map2 (\k l -> los[l] + k - offsets[l]) (iota total) owner
  in (owner, partner, map2 (\l r -> price[l] * qty[r]) owner partner)

-- Semi- and anti-join by a bitmap over the key domain.
entry semi_join [n][m] (domain: i64) (orders: [n]i32) (amounts: [n]i32) (wanted: [m]i32)
    : ([]i64, []i64, i64, [256]i64) =
  let bitmap = reduce_by_index (replicate ((domain + 31) / 32) 0u32) (|) 0
                               (map (\k -> i64.i32 k / 32) wanted)
                               (map (\k -> 1 << (u32.i32 k % 32)) wanted)
  let member k = (bitmap[i64.i32 k / 32] >> (u32.i32 k % 32)) & 1 == 1
  let (hits, misses) = partition (\i -> member orders[i]) (iota n)
  let spent = i64.sum (map (\i -> i64.i32 amounts[i]) hits)
  in (hits, misses, spent,
      hist (+) 0 256 (map (\i -> i64.i32 amounts[i] & 255) misses) (map (const 1) misses))

-- --------------------------------------------------------------- sketches --

entry bloom_filter [n][m] (words: i64) (members: [n]i32) (queries: [m]i32)
    : ([words]u32, [m]bool, i64) =
  let nbits = u32.i64 (words * 32)
  let bit (j: i64) k = hash_with (u32.i64 j) k % nbits
  let bs = flatten (map (\k -> tabulate 3 (\j -> bit j k)) members)
  let filt = reduce_by_index (replicate words 0u32) (|) 0
                             (map (\b -> i64.u32 (b / 32)) bs)
                             (map (\b -> 1u32 << (b % 32)) bs)
  let member k = all (\j -> let b = bit j k
                            in (filt[i64.u32 (b / 32)] >> (b % 32)) & 1 == 1) (iota 3)
  let found = map member queries
  in (filt, found, i64.sum (map i64.bool found))

entry count_min [n][m] (depth: i64) (width: i64) (keys: [n]i32) (weights: [n]u8) (queries: [m]i32)
    : ([depth][width]u32, [m]u32) =
  let slot d k = i64.u32 (hash_with (u32.i64 d) k) % width
  let sketch =
    tabulate depth (\d -> hist (+) 0 width (map (slot d) keys) (map u32.u8 weights))
  let estimate k = u32.minimum (tabulate depth (\d -> sketch[d, slot d k]))
  in (sketch, map estimate queries)

-- One HyperLogLog per group, and their union.
entry hyperloglog [n] (g: i64) (p: i64) (groups: [n]u8) (keys: [n]i32)
    : ([g][1 << p]u8, [g]f64, f64) =
  let m = 1 << p
  let obs grp k =
    let h = hash_with 3 k
    let rest = (h << u32.i64 p) | (1 << (u32.i64 p - 1))
    in ((i64.u8 grp % g, i64.u32 (h >> u32.i64 (32 - p))), u8.i32 (u32.clz rest + 1))
  let (is, rhos) = unzip (map2 obs groups keys)
  let regs = reduce_by_index_2d (replicate g (replicate m 0u8)) u8.max 0 is rhos
  let estimate (rs: [m]u8) =
    let mf = f64.i64 m
    let z = f64.sum (map (\r -> 1 / f64.i64 (1 << i64.u8 r)) rs)
    let zeros = i64.sum (map (\r -> i64.bool (r == 0)) rs)
    let raw = 0.7213 / (1 + 1.079 / mf) * mf * mf / z
    in if zeros > m / 8 then mf * f64.log (mf / f64.i64 zeros) else raw
  in (regs, map estimate regs, estimate (map u8.maximum (transpose regs)))

-- --------------------------------------------------------------- learning --

-- Naive Bayes on small categorical features: counts, then scores of the first
-- t rows.
entry naive_bayes [n][k] (c: i64) (v: i64) (t: i64) (feats: [n][k]u8) (labels: [n]u8)
    : ([c]i64, [k][c][v]i32, [t][c]f64, [t]f64) =
  let ys = map (\l -> i64.u8 l % c) labels
  let classes = hist (+) 0 c ys (replicate n 1)
  let count (column: [n]u8) =
    reduce_by_index_2d (replicate c (replicate v 0i32)) (+) 0
                       (map2 (\y x -> (y, i64.u8 x % v)) ys column) (replicate n 1)
  let counts = map count (transpose feats)
  let logp = map (map2 (\nc row -> map (\x -> f64.log (f64.i32 (x + 1) / f64.i64 (nc + v))) row)
                       classes) counts
  let prior = map (\nc -> f64.log (f64.i64 (nc + 1) / f64.i64 (n + c))) classes
  let score x y = prior[y] + f64.sum (map2 (\j xj -> logp[j, y, i64.u8 xj % v]) (iota k) x)
  let scores = map (\x -> tabulate c (score x)) (take t feats)
  let lse row = let top = f64.maximum row
                in top + f64.log (f64.sum (map (\s -> f64.exp (s - top)) row))
  in (classes, counts, scores, map lse scores)

-- Logistic regression on hashed features, full-batch gradient steps.
entry hashed_logistic [n][k] (d: i64) (steps: i32) (rate: f64) (codes: [n][k]i32) (ys: [n]bool)
    : ([d]f64, f64) =
  let hashed =
    map (map (\x -> let h = hash_with 11 x
                    in (i64.u32 (h >> 1) % d, if h & 1 == 0 then 1 else -1))) codes
  let margin (w: [d]f64) fs = f64.sum (map (\(i, s) -> s * w[i]) fs)
  let sigmoid z = 1 / (1 + f64.exp (-z))
  let target y = if y then 1 else 0
  let w =
    loop w = replicate d 0 for _i < steps do
      let errs = map2 (\fs y -> sigmoid (margin w fs) - target y) hashed ys
      let (is, gs) = map2 (\e fs -> map (\(i, s) -> (i, e * s)) fs) errs hashed
                     |> flatten |> unzip
      let grad = hist (+) 0 d is gs
      in map2 (\wi gi -> wi - rate * gi / f64.i64 n) w grad
  let loss fs y = let z = margin w fs
                  in f64.log (1 + f64.exp (if y then -z else z))
  in (w, f64.sum (map2 loss hashed ys) / f64.i64 n)

-- Label codes in order of the distinct values, their one-hot rows, and the
-- smoothed mean target of each label.
entry encodings [n] (xs: [n]i32) (ys: [n]bool) : ([]i32, [n]i32, [n][]u8, []f64) =
  let sorted = sorting.radix_by 32 i32_order xs
  let labels = map (.1) (filter (\(i, x) -> i == 0 || sorted[i - 1] != x) (zip (iota n) sorted))
  let c = length labels
  let codes = map (lower_bound (<) labels) xs
  let onehot = map (\code -> tabulate c (\j -> u8.bool (j == code))) codes
  let totals = hist (+) 0 c codes (replicate n 1i64)
  let hits = hist (+) 0 c codes (map i64.bool ys)
  in (labels, map i32.i64 codes, onehot,
      map2 (\h t -> (f64.i64 h + 1) / (f64.i64 t + 2)) hits totals)

-- Pearson correlations of all pairs of columns.
entry correlations [n][c] (rows: [n][c]f32) : ([c][c]f64, [c]f64) =
  let cols = map (map f64.f32) (transpose rows)
  let means = map (\x -> f64.sum x / f64.i64 n) cols
  let centred = map2 (\x m -> map (\v -> v - m) x) cols means
  let dot a b = f64.sum (map2 (*) a b)
  let sds = map (\x -> f64.sqrt (dot x x)) centred
  in (map2 (\a sa -> map2 (\b sb -> dot a b / (sa * sb)) centred sds) centred sds, means)

-- Confusion matrix of k classes; precision, recall, accuracy, Cohen's kappa.
entry confusion [n] (k: i64) (truth: [n]u8) (noise: [n]u8)
    : ([k][k]i64, [k]f64, [k]f64, f64, f64) =
  let ts = map (\t -> i64.u8 t % k) truth
  let guess t (e: u8) = if e < 160 then t else (t + i64.u8 e) % k
  let cells = zip ts (map2 guess ts noise)
  let cm = reduce_by_index_2d (replicate k (replicate k 0)) (+) 0 cells (replicate n 1i64)
  let diag = tabulate k (\i -> cm[i, i])
  let actual = map i64.sum cm
  let predicted = map i64.sum (transpose cm)
  let ratio a b = f64.i64 a / f64.i64 (i64.max 1 b)
  let acc = ratio (i64.sum diag) n
  let chance = f64.sum (map2 (\a p -> ratio a n * ratio p n) actual predicted)
  in (cm, map2 ratio diag predicted, map2 ratio diag actual, acc, (acc - chance) / (1 - chance))

-- Area under the ROC curve; equal scores count half.
entry roc_auc [n] (scores: [n]f32) (truth: [n]u8) : (f64, i64, i64, i64) =
  let quantise (s: f32) = u32.f32 (s * 16384)
  let rows = sorting.radix_by 15 (.0) (zip (map quantise scores) truth)
  let positive (s: f32) t = f32.u8 t < 64 + 128 * s
  let ys = map (\(s, t) -> positive (f32.u32 s / 16384) t) rows
  let heads = tabulate n (\i -> i == 0 || rows[i].0 != rows[i - 1].0)
  let group = map (\x -> x - 1) (scan (+) 0 (map i64.bool heads))
  let groups = 1 + last group
  let pos = hist (+) 0 groups group (map i64.bool ys)
  let neg = hist (+) 0 groups group (map (\y -> i64.bool (!y)) ys)
  let below = exscan neg
  let twice = i64.sum (map3 (\p q b -> p * (2 * b + q)) pos neg below)
  let (np, nn) = (i64.sum pos, i64.sum neg)
  in (f64.i64 twice / (2 * f64.i64 np * f64.i64 nn), twice, np, nn)

-- k-fold cross-validation of a simple regression: sums per fold, a fit on all
-- the others, the held-out error.
entry kfold_regression [n] (k: i64) (xs: [n]f32) (es: [n]f32)
    : ([k]f64, [k]f64, [k]f64) =
  let ys = map2 (\x e -> 3 * f64.f32 x + 0.25 * f64.f32 e + 1) xs es
  let fold = map (\i -> i64.u32 (hash_with 5 (i32.i64 i)) % k) (iota n)
  let add (a0: f64, a1: f64, a2: f64, a3: f64, a4: f64) (b0, b1, b2, b3, b4) =
    (a0 + b0, a1 + b1, a2 + b2, a3 + b3, a4 + b4)
  let zero = (0, 0, 0, 0, 0)
  let terms = map2 (\x y -> let x = f64.f32 x in (1, x, y, x * x, x * y)) xs ys
  let sums = reduce_by_index (replicate k zero) add zero fold terms
  let total = reduce_comm add zero sums
  let fit (s0, s1, s2, s3, s4) =
    let (c, sx, sy, sxx, sxy) = add total (-s0, -s1, -s2, -s3, -s4)
    let slope = (c * sxy - sx * sy) / (c * sxx - sx * sx)
    in (slope, (sy - slope * sx) / c)
  let (slopes, offsets) = unzip (map fit sums)
  let errs = map3 (\f x y -> (y - slopes[f] * f64.f32 x - offsets[f]) ** 2) fold xs ys
  let sse = hist (+) 0 k fold errs
  in (slopes, offsets, map2 (\e s -> e / f64.max 1 s.0) sse sums)

-- A dictionary-coded string column: the collation rank of every word, the rows
-- whose word begins with a letter of a range, and their words concatenated.
entry dictionary_column [n][d][w] (from: u8) (to: u8) (words: [d][w]u8) (lens: [d]i32) (codes: [n]i32)
    : ([d]i64, []i64, []u8, [d]i64) =
  let len i = i64.i32 lens[i] % w + 1
  let less i j =
    let (li, lj) = (len i, len j)
    let p = loop p = 0 while p < li && p < lj && words[i, p] == words[j, p] do p + 1
    in if p == li || p == lj then li < lj || (li == lj && i < j)
       else words[i, p] < words[j, p]
  let ranks = map (\i -> i64.sum (map (\j -> i64.bool (less j i)) (iota d))) (iota d)
  let wanted = map (\word -> word[0] >= from && word[0] <= to) words
  let rows = filter (\r -> wanted[codes[r]]) (iota n)
  let sizes = map (\r -> len (i64.i32 codes[r])) rows
  let offsets = exscan sizes
  let total = i64.sum sizes
  let owner = scatter (replicate total 0) offsets (indices rows) |> scan i64.max 0
  let text = map2 (\o pos -> words[codes[rows[o]], pos - offsets[o]]) owner (iota total)
  in (ranks, rows, text, hist (+) 0 d (map i64.i32 codes) (replicate n 1))
