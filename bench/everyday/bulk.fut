-- Data pipelines over long one-dimensional arrays.

-- ---------------------------------------------------------------- helpers --

def exclusive_scan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a) : [n]a =
  let incl = scan op ne xs
  in tabulate n (\i -> if i == 0 then ne else incl[i - 1])

def segmented_scan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  zip flags xs
  |> scan (\(f1, x1) (f2, x2) -> (f1 || f2, if f2 then x2 else x1 `op` x2)) (false, ne)
  |> map (.1)

-- Positions at which a sorted key sequence starts a new group.
def group_heads [n] 'k (neq: k -> k -> bool) (ks: [n]k) : [n]bool =
  map (\i -> i == 0 || (ks[i] `neq` ks[i - 1])) (iota n)

-- One total per segment, in order.
def segmented_reduce [n] 't (op: t -> t -> t) (ne: t) (heads: [n]bool) (xs: [n]t) : []t =
  let scanned = segmented_scan op ne heads xs
  let ends = map (\i -> i == n - 1 || heads[i + 1]) (iota n)
  in zip ends scanned |> filter (.0) |> map (.1)

-- One step of a stable LSD radix sort, two bits at a time.
def radix_step [n] 't (digit: t -> i32) (xs: [n]t) : [n]t =
  let one_hot d = (i64.bool (d == 0), i64.bool (d == 1), i64.bool (d == 2), i64.bool (d == 3))
  let add4 (a, b, c, d) (e, f, g, h) : (i64, i64, i64, i64) = (a + e, b + f, c + g, d + h)
  let ds = map digit xs
  let offsets = scan add4 (0, 0, 0, 0) (map one_hot ds)
  let (na, nb, nc, _) = if n == 0 then (0, 0, 0, 0) else last offsets
  let dest d (a, b, c, e) =
    match d
    case 0 -> a - 1
    case 1 -> na + b - 1
    case 2 -> na + nb + c - 1
    case _ -> na + nb + nc + e - 1
  in scatter (copy xs) (map2 dest ds offsets) xs

def radix_sort_by [n] 't (bits: i32) (key: t -> u32) (xs: [n]t) : [n]t =
  loop xs for b < (bits + 1) / 2 do
    radix_step (\x -> i32.u32 ((key x >> u32.i32 (2 * b)) & 3)) xs

-- Number of elements of a sorted array for which 'before' holds.
def lower_bound [n] 't (before: t -> bool) (xs: [n]t) : i64 =
  let (lo, _) =
    loop (lo, hi) = (0, n) while lo < hi do
      let mid = (lo + hi) / 2
      in if before xs[mid] then (mid + 1, hi) else (lo, mid)
  in lo

def merge [n][m] 'a 'k (leq: k -> k -> bool) (key: a -> k) (xs: [n]a) (ys: [m]a) : [n + m]a =
  let xi = map2 (\i x -> i + lower_bound (\y -> !(key x `leq` key y)) ys) (iota n) xs
  let yi = map2 (\i y -> i + lower_bound (\x -> key x `leq` key y) xs) (iota m) ys
  let both = xs ++ ys
  in scatter (copy both) (xi ++ yi) both

-- ------------------------------------------------- filtering and grouping --

-- Values above a threshold, with their positions, by scan and scatter.
entry compact [n] (thr: i32) (xs: [n]i32) : ([]i32, []i64) =
  let keep = map (> thr) xs
  let pos = scan (+) 0 (map i64.bool keep)
  let m = if n == 0 then 0 else last pos
  let is = map2 (\k p -> if k then p - 1 else -1) keep pos
  in (scatter (replicate m 0) is xs, scatter (replicate m 0) is (iota n))

-- Run-length encoding.
entry run_lengths [n] (xs: [n]u8) : ([]u8, []i32) =
  let heads = group_heads (!=) xs
  let starts = filter (\i -> heads[i]) (iota n)
  let runs = length starts
  let len i = (if i + 1 < runs then starts[i + 1] else n) - starts[i]
  in (map (\i -> xs[i]) starts, map (\i -> i32.i64 (len i)) (iota runs))

-- Distinct keys and their multiplicities, after a radix sort.
entry dedupe [n] (xs: [n]u32) : ([]u32, []i32) =
  let sorted = radix_sort_by 32 id xs
  let heads = group_heads (!=) sorted
  let keys = zip heads sorted |> filter (.0) |> map (.1)
  let counts = segmented_reduce (+) 0 heads (replicate n 1)
  let k = length keys
  in (keys, counts :> [k]i32)

-- Group by key: sum, minimum and maximum per key that occurs.
entry group_stats [n] (keys: [n]i32) (vals: [n]f64) : ([]i32, []f64, []f64, []f64) =
  let bits = 32 - i32.clz (i32.maximum keys)
  let sorted = radix_sort_by bits (\(k, _) -> u32.i32 k) (zip keys vals)
  let (ks, vs) = unzip sorted
  let heads = group_heads (!=) ks
  let op (s1: f64, lo1, hi1) (s2, lo2, hi2) = (s1 + s2, f64.min lo1 lo2, f64.max hi1 hi2)
  let stats = segmented_reduce op (0, f64.inf, -f64.inf) heads (map (\v -> (v, v, v)) vs)
  let (sums, los, his) = unzip3 stats
  in (zip heads ks |> filter (.0) |> map (.1), sums, los, his)

type trade = {time: i64, account: i32, price: f32, side: u8}

-- Stream compaction of records of four fields, and turnover of what is kept.
entry select_trades [n] (lo: f32) (hi: f32) (times: [n]i64) (accounts: [n]i32)
                        (prices: [n]f32) (sides: [n]u8)
    : ([]i64, []i32, []f32, []u8, f64) =
  let trades : [n]trade =
    map4 (\time account price side -> {time, account, price, side}) times accounts prices sides
  let wanted (t: trade) = t.price >= lo && t.price < hi && (t.side & 1 == 1 || t.account % 3 == 0)
  let kept = filter wanted trades
  let turnover = f64.sum (map (\t -> f64.f32 t.price) kept)
  in (map (.time) kept, map (.account) kept, map (.price) kept, map (.side) kept, turnover)

-- Every record i is repeated counts[i] times; the output tells the record and
-- the number of the repetition.
entry expand_counts [n] (counts: [n]i32) (weights: [n]f32) : ([]i32, []f32) =
  let sizes = map i64.i32 counts
  let offsets = exclusive_scan (+) 0 sizes
  let total = i64.sum sizes
  let marks = reduce_by_index (replicate total 0) i64.max 0
                              (map2 (\s o -> if s > 0 then o else -1) sizes offsets)
                              (iota n)
  let owner = scan i64.max 0 marks
  let value k = weights[owner[k]] / f32.i64 (1 + k - offsets[owner[k]])
  in (map i32.i64 owner, map value (iota total))

-- The k largest keys (radix select by byte histograms), in input order.
entry topk_select [n] (k: i64) (xs: [n]u32) : ([k]u32, [k]i64) =
  let (thr, need) =
    loop (prefix, need) = (0u32, k) for round < 4 do
      let shift = u32.i32 (24 - 8 * round)
      let mask = if round == 0 then 0 else u32.highest << (shift + 8)
      let bin x = if x & mask == prefix then i64.u32 ((x >> shift) & 255) else -1
      let counts = hist (+) 0i64 256 (map bin xs) (replicate n 1)
      let above = reverse (exclusive_scan (+) 0 (reverse counts))
      let b = i64.sum (map (\a -> i64.bool (a >= need)) above)
      in (prefix | (u32.i64 b << shift), need - above[b])
  let tie_rank = exclusive_scan (+) 0 (map (\x -> i64.bool (x == thr)) xs)
  let chosen =
    zip3 xs tie_rank (iota n)
    |> filter (\(x, r, _) -> x > thr || (x == thr && r < need))
  in unzip (map (\(x, _, i) -> (x, i)) chosen) :> ([k]u32, [k]i64)

-- Counting sort of small keys, by histogram, offsets and fill.
entry counting_sort [n] (m: i64) (keys: [n]i16) : ([n]i16, [m]i32) =
  let counts = hist (+) 0i32 m (map i64.i16 keys) (replicate n 1)
  let starts = exclusive_scan (+) 0 counts
  let steps =
    reduce_by_index (replicate n 0i16) i16.max 0
                    (map2 (\s c -> if c > 0 then i64.i32 s else -1) starts counts)
                    (map i16.i64 (iota m))
  in (scan i16.max 0 steps, starts)

-- Outliers by standard score, apart from the rest.
entry split_outliers [n] (z: f64) (xs: [n]f64) : ([]f64, []f64) =
  let mean = f64.sum xs / f64.i64 n
  let sd = f64.sqrt (f64.sum (map (\x -> (x - mean) ** 2) xs) / f64.i64 n)
  in partition (\x -> f64.abs (x - mean) <= z * sd) xs

-- One sampled element per bucket: the one with the least hash of its position.
entry bucket_sample [n] (buckets: i64) (keys: [n]i32) (vals: [n]f32) : ([buckets]f32, [buckets]i64) =
  let hash (i: i64) : u32 =
    let x = u32.i64 i * 0x9E3779B1
    let x = (x ^ (x >> 15)) * 0x85EBCA6B
    in x ^ (x >> 13)
  let least (h1: u32, i1: i64) (h2, i2) =
    if h1 < h2 || (h1 == h2 && i1 < i2) then (h1, i1) else (h2, i2)
  let best =
    reduce_by_index (replicate buckets (u32.highest, i64.highest)) least (u32.highest, i64.highest)
                    (map i64.i32 keys) (map (\i -> (hash i, i)) (iota n))
  in unzip (map (\(_, i) -> if i == i64.highest then (0, -1) else (vals[i], i)) best)

-- ------------------------------------------------------ tables and joins --

-- Left join on a sorted table by binary search.
entry join_lookup [n][m] (table_keys: [n]i64) (table_vals: [n]f32) (queries: [m]i64)
    : ([m]f32, i64) =
  let look q =
    let i = lower_bound (< q) table_keys
    in if i < n && table_keys[i] == q then (table_vals[i], 1) else (0, 0)
  let (vs, hits) = unzip (map look queries)
  in (vs, i64.sum hits)

-- Merge of two sorted arrays.
entry merge_sorted [n][m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 =
  merge (<=) id xs ys

-- Sum of two sparse vectors given by sorted indices (which may repeat).
entry sparse_add [n][m] (ia: [n]i64) (va: [n]f64) (ib: [m]i64) (vb: [m]f64) : ([]i64, []f64) =
  let (is, vs) = unzip (merge (<=) (.0) (zip ia va) (zip ib vb))
  let heads = group_heads (!=) is
  in ( zip heads is |> filter (.0) |> map (.1)
     , segmented_reduce (+) 0 heads vs )

-- Joint histogram of two variables.
entry histogram_2d [n] (rows: i64) (cols: i64) (xs: [n]f32) (ys: [n]f32) : [rows][cols]i32 =
  let bin (k: i64) (v: f32) = i64.max 0 (i64.min (k - 1) (i64.f32 (v * f32.i64 k)))
  in reduce_by_index_2d (replicate rows (replicate cols 0)) (+) 0
                        (map2 (\x y -> (bin rows x, bin cols y)) xs ys) (replicate n 1)

-- Histogram equalization of a 12-bit image.
entry equalize_12bit [n] (px: [n]u16) : [n]u8 =
  let counts = hist (+) 0i64 4096 (map i64.u16 px) (replicate n 1)
  let cdf = scan (+) 0 counts
  let lut = map (\c -> u8.i64 (c * 255 / n)) cdf
  in map (\p -> lut[i64.u16 p]) px

-- ------------------------------------------------------------ time series --

-- Mean and standard deviation over a trailing window, from prefix sums.
entry moving_stats [n] (w: i64) (xs: [n]f64) : ([n]f64, [n]f64) =
  let (s, s2) =
    map (\x -> (x, x * x)) xs
    |> scan (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
    |> unzip
  let at (p: [n]f64) i = if i < 0 then 0 else p[i]
  let stat i =
    let c = f64.i64 (i64.min w (i + 1))
    let mean = (s[i] - at s (i - w)) / c
    let sq = (s2[i] - at s2 (i - w)) / c
    in (mean, f64.sqrt (f64.max 0 (sq - mean * mean) + 1e-3))
  in unzip (tabulate n stat)

-- Equity curve of a series of returns, its running drawdown and the worst one.
entry drawdown [n] (returns: [n]f32) : ([n]f32, f64) =
  let equity = scan (+) 0 (map f64.f32 returns)
  let peaks = scan f64.max 0 equity
  let dd = map2 (-) peaks equity
  in (map f32.f64 dd, f64.maximum dd)

-- Running total and position within each flagged segment.
entry segment_totals [n] (flags: [n]bool) (xs: [n]f32) : ([n]f32, [n]i32) =
  let scanned =
    segmented_scan (\(a, i) (b, j) -> (a + b, i + j)) (0, 0i32) flags (map (\x -> (x, 1)) xs)
  in (map (.0) scanned, map (\(_, c) -> c - 1) scanned)

-- Linear interpolation over missing samples (nearest value at the ends).
entry fill_gaps [n] (valid: [n]bool) (xs: [n]f32) : [n]f32 =
  let prev = scan i64.max (-1) (map2 (\v i -> if v then i else -1) valid (iota n))
  let next =
    map2 (\v i -> if v then i else n) valid (iota n)
    |> reverse |> scan i64.min n |> reverse
  let fill i =
    let (p, q) = (prev[i], next[i])
    in if p == i then xs[i]
       else if p < 0 && q >= n then 0
       else if p < 0 then xs[q]
       else if q >= n then xs[p]
       else let t = f32.i64 (i - p) / f32.i64 (q - p)
            in xs[p] + t * (xs[q] - xs[p])
  in tabulate n fill

-- Sessions of a sorted event log: split at gaps; first and last time, events
-- and bytes of every session.
entry sessionize [n] (gap: i64) (times: [n]i64) (bytes: [n]i32) : ([]i64, []i64, []i32, []i64) =
  let heads = map (\i -> i == 0 || times[i] - times[i - 1] > gap) (iota n)
  let single t b = {first = t, last = t, events = 1i32, bytes = i64.i32 b}
  let ne = {first = i64.highest, last = i64.lowest, events = 0i32, bytes = 0i64}
  let op a b = { first = i64.min a.first b.first, last = i64.max a.last b.last
               , events = a.events + b.events, bytes = a.bytes + b.bytes }
  let ss = segmented_reduce op ne heads (map2 single times bytes)
  in (map (.first) ss, map (.last) ss, map (.events) ss, map (.bytes) ss)

-- Open, high, low, close and volume per time bucket.
entry ohlc [n] (buckets: i64) (width: i64) (times: [n]i64) (prices: [n]f32) (volumes: [n]i32)
    : ([buckets]f32, [buckets]f32, [buckets]f32, [buckets]f32, [buckets]i64) =
  let ne = (i64.highest, 0f32, -f32.inf, f32.inf, -1i64, 0f32, 0i64)
  let op (i1, o1, h1, l1, j1, c1, v1) (i2, o2, h2, l2, j2, c2, v2) : (i64, f32, f32, f32, i64, f32, i64) =
    let (i, o) = if i1 <= i2 then (i1, o1) else (i2, o2)
    let (j, c) = if j1 >= j2 then (j1, c1) else (j2, c2)
    in (i, o, f32.max h1 h2, f32.min l1 l2, j, c, v1 + v2)
  let bars =
    reduce_by_index (replicate buckets ne) op ne (map (/ width) times)
                    (map3 (\i p v -> (i, p, p, p, i, p, i64.i32 v)) (iota n) prices volumes)
  in unzip5 (map (\(i, o, h, l, _, c, v) -> if i == i64.highest then (0, 0, 0, 0, 0) else (o, h, l, c, v)) bars)

-- y[i] = a[i] * y[i-1] + b[i], by a scan of affine maps.
entry linear_recurrence [n] (as: [n]f64) (bs: [n]f64) (y0: f64) : [n]f64 =
  let after (a1: f64, b1: f64) (a2, b2) = (a1 * a2, b1 * a2 + b2)
  in zip as bs |> scan after (1, 0) |> map (\(a, b) -> a * y0 + b)

-- --------------------------------------------------------------- summaries --

-- Mean, variance, skewness, extremes and where the minimum is.
entry moments [n] (xs: [n]f64) : (f64, f64, f64, f64, f64, i64) =
  let (s, lo, hi, at) =
    reduce (\(s1, lo1, hi1, i1) (s2, lo2, hi2, i2) ->
              let (lo, i) = if lo1 < lo2 || (lo1 == lo2 && i1 < i2) then (lo1, i1) else (lo2, i2)
              in (s1 + s2, lo, f64.max hi1 hi2, i))
           (0, f64.inf, -f64.inf, n)
           (map2 (\x i -> (x, x, x, i)) xs (iota n))
  let mean = s / f64.i64 n
  let m2 = f64.sum (map (\x -> (x - mean) ** 2) xs) / f64.i64 n
  let m3 = f64.sum (map (\x -> (x - mean) ** 3) xs) / f64.i64 n
  in (mean, m2, m3 / m2 ** 1.5, lo, hi, at)

-- Hermitian inner product of two complex vectors, and both their norms.
entry complex_dot [n] (ar: [n]f32) (ai: [n]f32) (br: [n]f32) (bi: [n]f32) : (f64, f64, f64, f64) =
  let wide a b : {re: f64, im: f64} = {re = f64.f32 a, im = f64.f32 b}
  let as = map2 wide ar ai
  let bs = map2 wide br bi
  let conj_mul (x: {re: f64, im: f64}) (y: {re: f64, im: f64}) =
    {re = x.re * y.re + x.im * y.im, im = x.re * y.im - x.im * y.re}
  let dot = reduce (\x y -> {re = x.re + y.re, im = x.im + y.im}) {re = 0, im = 0} (map2 conj_mul as bs)
  let norm xs = f64.sqrt (f64.sum (map (\x -> (conj_mul x x).re) xs))
  in (dot.re, dot.im, norm as, norm bs)

-- Maximum subarray sum, and the number of positions at which the best sum
-- ending there is positive.
entry max_subarray [n] (xs: [n]i32) : (i64, i64) =
  let lift (x: i64) = (i64.max 0 x, i64.max 0 x, i64.max 0 x, x)
  let op (b1, p1, s1, t1) (b2, p2, s2, t2) : (i64, i64, i64, i64) =
    ( i64.max (i64.max b1 b2) (s1 + p2)
    , i64.max p1 (t1 + p2)
    , i64.max s2 (s1 + t2)
    , t1 + t2 )
  let scanned = scan op (0, 0, 0, 0) (map (\x -> lift (i64.i32 x)) xs)
  let best = if n == 0 then 0 else (last scanned).0
  in (best, i64.sum (map (\(_, _, s, _) -> i64.bool (s > 0)) scanned))

-- Polynomial hash (an ordered reduction) and Adler-32 of a byte string.
entry checksums [n] (bytes: [n]u8) : (u64, u32) =
  let p = 2147483647u64
  let (h, _) =
    reduce (\(h1, w1) (h2, w2) -> ((h1 * w2 + h2) % p, w1 * w2 % p)) (0, 1)
           (map (\b -> (u64.u8 b + 1, 257)) bytes)
  let a = (1 + u64.sum (map u64.u8 bytes)) % 65521
  let weighted = u64.sum (map2 (\b i -> u64.u8 b * (u64.i64 (n - i) % 65521) % 65521) bytes (iota n))
  let b = (u64.i64 n + weighted) % 65521
  in (h, u32.u64 (b << 16 | a))

-- Half-precision data: histogram of exponents, greatest magnitude, energy.
entry half_summary [n] (xs: [n]f16) : ([32]i32, f16, f64) =
  let expo x = i64.u16 ((f16.to_bits x >> 10) & 31)
  let counts = hist (+) 0 32 (map expo xs) (replicate n 1)
  let peak = f16.maximum (map f16.abs xs)
  let energy = f64.sum (map (\x -> let v = f64.f16 x in v * v) xs)
  in (counts, peak, energy)

-- ------------------------------------------------------- bytes and text --

-- Delta, zigzag and variable-length byte coding of integers.
entry varint_encode [n] (xs: [n]i32) : []u8 =
  let deltas = map (\i -> if i == 0 then xs[0] else xs[i] - xs[i - 1]) (iota n)
  let zigzag (d: i32) : u32 = u32.i32 ((d << 1) ^ (d >> 31))
  let zs = map zigzag deltas
  let size (z: u32) = i64.i32 (i32.max 1 ((38 - u32.clz z) / 7))
  let sizes = map size zs
  let offsets = exclusive_scan (+) 0 sizes
  let total = i64.sum sizes
  let byte z s (j: i64) : u8 =
    let low = u8.u32 (z >> u32.i64 (7 * j)) & 127
    in if j + 1 < s then low | 128 else low
  let (is, bs) =
    map3 (\z s o -> tabulate 5 (\j -> if j < s then (o + j, byte z s j) else (-1, 0)))
         zs sizes offsets
    |> flatten |> unzip
  in scatter (replicate total 0) is bs

-- Decimal numbers in a byte string, separated by anything that is no digit.
-- Long numbers wrap around.
entry parse_numbers [n] (text: [n]u8) : []i64 =
  let is_digit c = c >= '0' && c <= '9'
  let ds = map is_digit text
  let heads = map (\i -> i == 0 || ds[i] != ds[i - 1]) (iota n)
  let vs =
    map (\c -> if is_digit c then (i64.u8 (c - '0'), 10) else (0, 1)) text
    |> segmented_scan (\(v1, p1) (v2, p2) -> (v1 * p2 + v2, p1 * p2)) (0, 1) heads
  let ends = map (\i -> ds[i] && (i == n - 1 || !ds[i + 1])) (iota n)
  in zip ends vs |> filter (.0) |> map (\(_, (v, _)) -> v)

-- Histogram of word lengths, and the longest word's length and first position.
entry word_lengths [n] (maxlen: i64) (text: [n]u8) : ([maxlen]i32, i64, i64) =
  let is_letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
  let len_to_here =
    map (\c -> i64.bool (is_letter c)) text
    |> segmented_scan (+) 0 (map (\c -> !(is_letter c)) text)
  let ends = map (\i -> is_letter text[i] && (i == n - 1 || !(is_letter text[i + 1]))) (iota n)
  let words = zip3 ends len_to_here (iota n) |> filter (.0) |> map (\(_, l, i) -> (l, i + 1 - l))
  let counts = hist (+) 0 maxlen (map (\(l, _) -> i64.min (maxlen - 1) l) words) (map (const 1) words)
  let (l, p) = reduce (\(l1, p1) (l2, p2) ->
                         if l1 > l2 || (l1 == l2 && p1 < p2) then (l1, p1) else (l2, p2))
                      (0, n) words
  in (counts, l, p)

-- UTF-8 validation by looking back at most three bytes: number of code points
-- led in, of malformed positions, and the first of those (or n).
entry utf8_check [n] (bs: [n]u8) : (i64, i64, i64) =
  let follows b = if b >= 0xF0 && b <= 0xF4 then 3
                  else if b >= 0xE0 && b <= 0xEF then 2
                  else if b >= 0xC2 && b <= 0xDF then 1
                  else 0i64
  let is_cont (b: u8) = b & 0xC0 == 0x80
  let at i = if i < 0 || i >= n then 0u8 else bs[i]
  let bad i =
    let b = bs[i]
    let expected = follows (at (i - 1)) >= 1 || follows (at (i - 2)) >= 2 || follows (at (i - 3)) >= 3
    let truncated = i + follows b >= n
    let second = at (i + 1)
    let special = (b == 0xE0 && second < 0xA0) || (b == 0xED && second > 0x9F)
                  || (b == 0xF0 && second < 0x90) || (b == 0xF4 && second > 0x8F)
    let illegal = b == 0xC0 || b == 0xC1 || b > 0xF4
    in is_cont b != expected || truncated || special || illegal
  let bads = map bad (iota n)
  let first = reduce i64.min n (map2 (\b i -> if b then i else n) bads (iota n))
  in ( i64.sum (map (\b -> i64.bool (!(is_cont b))) bs)
     , i64.sum (map i64.bool bads)
     , first )

-- Nesting of brackets (true opens): depth everywhere, and every bracket's
-- partner (or -1), from a stable sort by level.
entry bracket_pairs [n] (opens: [n]bool) : ([n]i32, [n]i32) =
  let depth = scan (+) 0i32 (map (\o -> if o then 1 else -1) opens)
  let level = map2 (\o d -> if o then d else d + 1) opens depth
  let lo = i32.minimum level
  let bits = 32 - i32.clz (i32.maximum level - lo)
  let sorted = zip (map (\l -> u32.i32 (l - lo)) level) (map i32.i64 (iota n))
               |> radix_sort_by bits (.0)
  let partner k =
    let (l, i) = sorted[k]
    let j = if opens[i] then k + 1 else k - 1
    in if j < 0 || j >= n then -1
       else let (l', i') = sorted[j]
            in if l' == l && opens[i'] != opens[i] then i' else -1
  in (depth, scatter (replicate n (-1)) (map (\(_, i) -> i64.i32 i) sorted) (tabulate n partner))

-- CSV structure by composing transition functions of a little automaton
-- (0 = outside quotes, 1 = inside, 2 = after a backslash inside): field ends
-- outside quotes, and the number of lines.
entry csv_fields [n] (text: [n]u8) : ([]i32, i64) =
  let trans (c: u8) : (u8, u8, u8) =
    if c == '"' then (1, 0, 1)
    else if c == '\\' then (0, 2, 1)
    else (0, 1, 1)
  let apply (a, b, c) (s: u8) : u8 = if s == 0 then a else if s == 1 then b else c
  let compose (a, b, c) g = (apply g a, apply g b, apply g c)
  let states = map trans text |> exclusive_scan compose (0, 1, 2) |> map (.0)
  let seps = map2 (\s c -> s == 0 && (c == ',' || c == '\n')) states text
  let ends = filter (\i -> seps[i]) (iota n)
  let lines = i64.sum (map (\i -> i64.bool (text[i] == '\n')) ends)
  in (map i32.i64 ends, lines)

-- --------------------------------------------------- packing, permutations --

-- Symmetric 8-bit quantization in blocks of b: codes, scales, and the mean
-- squared error after dequantization.
entry quantize_blocks [n] (b: i64) (xs: [n]f32) : ([n / b][b]i8, [n / b]f32, f64) =
  let blocks = unflatten (take (n / b * b) xs)
  let scale blk = f32.max 1e-20 (f32.maximum (map f32.abs blk)) / 127
  let scales = map scale blocks
  let codes = map2 (\s -> map (\x -> i8.f32 (f32.round (x / s)))) scales blocks
  let back = map2 (\s -> map (\q -> f32.i8 q * s)) scales codes
  let err = map2 (map2 (\x y -> let d = f64.f32 (x - y) in d * d)) blocks back
  in (codes, scales, f64.sum (flatten err) / f64.i64 n)

-- Packing of k-bit values, 32 at a time into k words; unpacking them again to
-- count what was lost (nothing, for values below 2^k).
entry pack_bits [n] (k: i64) (xs: [n]u32) : ([n / 32 * k]u32, i64) =
  let blocks = unflatten (take (n / 32 * 32) xs)
  let pack (blk: [32]u32) : [k]u32 =
    loop ws = replicate k 0 for i < 32 do
      let bit = i * k
      let (w, s) = (bit / 32, bit % 32)
      let ws[w] = ws[w] | (blk[i] << u32.i64 s)
      in if s + k > 32 then ws with [w + 1] = ws[w + 1] | (blk[i] >> u32.i64 (32 - s)) else ws
  let words = flatten (map pack blocks)
  let mask = if k == 32 then u32.highest else (1 << u32.i64 k) - 1
  let unpack j =
    let bit = (j % 32) * k
    let (w, s) = (j / 32 * k + bit / 32, bit % 32)
    let low = words[w] >> u32.i64 s
    let high = if s + k > 32 then words[w + 1] << u32.i64 (32 - s) else 0
    in (low | high) & mask
  let lost = i64.sum (map (\j -> i64.bool (unpack j != xs[j])) (iota (n / 32 * 32)))
  in (words, lost)

-- Ranks in a linked list (distance to its end) by pointer jumping.  The list
-- is the cycle i -> (a i + c) mod n cut at 'tail'; n is a power of two,
-- a = 1 mod 4 and c odd.
entry list_ranks (n: i64) (a: i64) (c: i64) (tail: i64) : ([n]i32, [n]i32) =
  let next = tabulate n (\i -> if i == tail then i else (a * i + c) % n)
  let dist = tabulate n (\i -> i32.bool (i != tail))
  let (_, ranks) =
    loop (next, dist) = (next, dist) for _r < i64.ctz n do
      ( map (\j -> next[j]) next
      , map2 (\d j -> d + dist[j]) dist next )
  let order = scatter (replicate n 0) (map (\r -> n - 1 - i64.i32 r) ranks) (map i32.i64 (iota n))
  in (ranks, order)

-- The LF mapping of a Burrows-Wheeler last column, its inverse permutation,
-- and the first column.
entry lf_mapping [n] (last_col: [n]u8) : ([n]i32, [n]i32, [n]u8) =
  let (first_col, psi) =
    zip last_col (map i32.i64 (iota n)) |> radix_sort_by 8 (\(c, _) -> u32.u8 c) |> unzip
  let lf = scatter (replicate n 0) (map i64.i32 psi) (map i32.i64 (iota n))
  in (lf, psi, first_col)
