-- Read mapper: k-mer index of the genome by counting sort, seeds of each read looked up, ungapped extension, best place.
def k : i64 = 8
def cells : i64 = 65536

def pack [n] (g: [n]u8) (i: i64) : i64 =
  loop h = 0 for j < k do h * 4 + i64.u8 g[i + j]

def build [n] (g: [n]u8) : ([cells + 1]i32, [n]i32) =
  let codes = tabulate n (\i -> if i + k <= n then pack g i else cells)
  let counts = hist (+) 0 (cells + 1) codes (replicate n 1i32)
  let ends = scan (+) 0 counts
  let starts = map2 (-) ends counts
  -- Place within a cell: stable order by sorting the codes' digits, one bit at a time.
  let order =
    loop order = map i32.i64 (iota n) for bit < 17 do
      let ones = map (\p -> i32.i64 (codes[i64.i32 p] >> bit & 1)) order
      let before = scan (+) 0 ones
      let zeros = i32.i64 n - (if n > 0 then before[n - 1] else 0)
      let dest = map3 (\i o b -> i64.i32 (if o == 1 then zeros + b - 1 else i32.i64 i - b)) (iota n) ones before
      in scatter (copy order) dest order
  in (starts, order)

def extend [n][m] (g: [n]u8) (read: [m]u8) (at: i64) : i32 =
  if at < 0 || at + m > n then -1
  else loop same = 0 for j < m do if g[at + j] == read[j] then same + 1 else same

def map_read [n][m] (g: [n]u8) (starts: [cells + 1]i32) (order: [n]i32) (read: [m]u8) : (i32, i32) =
  loop (score, place) = (-1, -1) for s < (m - k) / 4 + 1 do
    let o = s * 4
    let code = pack read o
    let (lo, hi) = (starts[code], starts[code + 1])
    in loop (score, place) for q < i32.min 16 (hi - lo) do
         let at = i64.i32 order[i64.i32 (lo + q)] - o
         let sc = extend g read at
         let p = i32.i64 at
         in if sc > score || (sc == score && sc >= 0 && p < place) then (sc, p) else (score, place)

-- Letters of the mapped reads counted at each place of the genome; the commonest is the consensus.
def pileup [r][m] (n: i64) (min_score: i32) (reads: [r][m]u8) (scores: [r]i32) (places: [r]i32) : ([n]u8, [n]i32) =
  let at s p j c = if s < min_score then -1 else (i64.i32 p + j) * 4 + i64.u8 c
  let keys = map3 (\read s p -> map2 (at s p) (iota m) read) reads scores places
  let counts = unflatten (hist (+) 0i32 (n * 4) (flatten keys) (replicate (r * m) 1))
  let best c =
    let (b, _) = loop (b, top) = (0, c[0]) for q in 1..<4 do if c[q] > top then (q, c[q]) else (b, top)
    in u8.i64 b
  in (map best counts, map i32.sum counts)

-- Reads are cut from the genome at random places with some letters changed.
entry main [n][r][m] (genome: [n]u8) (place: [r]i32) (noise: [r][m]u8) : ([r]i32, [r]i32, i64, i64, [n]i32) =
  let g = map (& 3) genome
  let truth = map (\p -> i64.i32 (p & 0x7fffffff) % (n - m + 1)) place
  let reads = map2 (\t z -> tabulate m (\j -> if z[j] < 12 then (g[t + j] + 1 + z[j] % 3) & 3 else g[t + j])) truth noise
  let (starts, order) = build g
  let (scores, places) = unzip (map (map_read g starts order) reads)
  let (consensus, depth) = pileup n (i32.i64 (m * 3 / 4)) reads scores places
  let agree = map3 (\a b d -> i64.bool (a == b && d > 0)) consensus g depth
  in (scores, places, i64.sum (map2 (\t p -> i64.bool (t == i64.i32 p)) truth places), i64.sum agree, depth)
