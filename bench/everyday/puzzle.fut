-- Solutions of puzzles on large inputs.

def radix_step [n] 't (key: t -> u32) (bit: i32) (xs: [n]t) : [n]t =
  let ones = map (\x -> i64.u32 ((key x >> u32.i32 bit) & 1)) xs
  let zeros = map (1 -) ones
  let at0 = scan (+) 0 zeros
  let at1 = scan (+) 0 ones
  let split = i64.sum zeros
  let at = map3 (\b p q -> if b == 0 then p - 1 else split + q - 1) ones at0 at1
  in scatter (copy xs) at xs

def radix_sort [n] 't (bits: i32) (key: t -> u32) (xs: [n]t) : [n]t =
  loop xs for b < bits do radix_step key b xs

-- Breadth first through a cave; the first row and column are a corridor.
def around (h: i64) (w: i64) (p: i64) : [4]i64 =
  let (i, j) = (p / w, p % w)
  in [ if i > 0 then p - w else -1
     , if i < h - 1 then p + w else -1
     , if j > 0 then p - 1 else -1
     , if j < w - 1 then p + 1 else -1 ]

entry cave_bfs [h][w] (cave: [h][w]u8) : (i64, i32, i64) =
  let n = h * w
  let free = flatten (tabulate_2d h w (\i j -> i == 0 || j == 0 || cave[i, j] >= 3))
  let (dist, _, _, levels) =
    loop (dist: *[n]i32, owner: *[n]i64, front: []i64, level) =
         (replicate n (-1) with [0] = 0, replicate n i64.highest, [0], 0i32)
    while length front > 0 do
      let steps = flatten (map (around h w) front)
      let fresh = filter (\p -> p >= 0 && free[p] && dist[p] < 0) steps
      let ids = indices fresh
      let owner = reduce_by_index owner i64.min i64.highest fresh ids
      let front = map (.0) (filter (\(p, i) -> owner[p] == i) (zip fresh ids))
      let dist = scatter dist front (map (const (level + 1)) front)
      in (dist, owner, front, level + 1)
  let seen = filter (>= 0) dist
  in (length seen, levels - 1, i64.sum (map i64.i32 seen))

-- Brackets matched by sorting them by depth.
entry brackets [n] (text: [n]u8) : (i64, i32, i64) =
  let closes = map (\c -> c % 2 == 1) text
  let depth = scan (+) 0 (map (\c -> if c then -1i32 else 1) closes)
  let level = map2 (\c d -> if c then d + 1 else d) closes depth
  let low = i32.minimum level
  let sorted =
    radix_sort 16 (\(l, _) -> u32.i32 (l - low)) (zip level (iota n))
  let price (k: u8) : i64 =
    match k
    case 0 -> 3
    case 1 -> 57
    case 2 -> 1197
    case _ -> 25137
  let judge (i: i64) : (i64, i64) =
    let (l, a) = sorted[i]
    let (m, b) = sorted[i + 1]
    in if l == m && !closes[a] && closes[b] && text[a] / 2 != text[b] / 2
       then (price (text[b] / 2), b)
       else (0, n)
  let (cost, first) =
    reduce (\(c, p) (d, q) -> (c + d, i64.min p q)) (0, n) (map judge (iota (n - 1)))
  in (cost, i32.maximum depth, first)

-- Hydrothermal vents: lines drawn onto a floor, some of them diagonal.
entry vents [n] (side: i64) (xs: [n]i32) (ys: [n]i32) (lens: [n]u8) (dirs: [n]i8) : (i64, i32) =
  let sizes = map (\l -> 1 + i64.u8 l) lens
  let ends = scan (+) 0 sizes
  let total = last ends
  let starts = map2 (-) ends sizes
  let segs = scan i64.max 0 (scatter (replicate total 0) starts (iota n))
  let cell (s: i64) (k: i64) : i64 =
    let t = k - starts[s]
    let (dx, dy) = match dirs[s]
                   case 0 -> (1, 0)
                   case 1 -> (0, 1)
                   case 2 -> (1, 1)
                   case _ -> (1, -1)
    let x = i64.i32 xs[s] + t * dx
    let y = i64.i32 ys[s] + t * dy
    in if x < 0 || y < 0 || x >= side || y >= side then -1 else y * side + x
  let cells = map2 cell segs (iota total)
  let cover = hist (+) 0i32 (side * side) cells (replicate total 1)
  in (i64.sum (map (\c -> i64.bool (c >= 2)) cover), i32.maximum cover)

-- Lanternfish after very many days, by powers of a matrix.
def times [n] (a: [n][n]u64) (b: [n][n]u64) : [n][n]u64 =
  map (\row -> map (\col -> u64.sum (map2 (*) row col)) (transpose b)) a

entry lanternfish [n][q] (timers: [n]u8) (days: [q]u32) : [q]u64 =
  let school = hist (+) 0u64 9 (map i64.u8 timers) (replicate n 1)
  let day = tabulate_2d 9 9 (\i j -> u64.bool (j == (i + 1) % 9 || (i == 6 && j == 0)))
  let after (d: u32) =
    let unit = tabulate_2d 9 9 (\i j -> u64.bool (i == j))
    let (p, _, _) =
      loop (p, b, d) = (unit, day, d) while d > 0 do
        (if d & 1 == 1 then times p b else p, times b b, d >> 1)
    in u64.sum (map (\row -> u64.sum (map2 (*) row school)) p)
  in map after days

-- Octopuses that flash and wake their neighbours.
def energize [h][w] (g: [h][w]i8) : ([h][w]i8, i64) =
  let g = map (map (+ 1)) g
  let (g, lit, _) =
    loop (g, lit, go) = (g, replicate h (replicate w false), true) while go do
      let now = map2 (map2 (\e l -> e > 9 && !l)) g lit
      let at i j = i8.bool (i >= 0 && i < h && j >= 0 && j < w && now[i, j])
      let g' = tabulate_2d h w (\i j ->
                 g[i, j] + at (i-1) (j-1) + at (i-1) j + at (i-1) (j+1) + at i (j-1)
                 + at i (j+1) + at (i+1) (j-1) + at (i+1) j + at (i+1) (j+1))
      in (g', map2 (map2 (||)) lit now, or (flatten now))
  in (map2 (map2 (\e l -> if l then 0 else e)) g lit, i64.sum (map i64.bool (flatten lit)))

entry octopuses [n][h][w] (steps: i32) (grids: [n][h][w]i8) : ([n]i64, [n]i32) =
  unzip (map (\g ->
    let (_, total, sync) =
      loop (g, total, sync) = (g, 0, 0) for _s < steps do
        let (g, k) = energize g
        in (g, total + k, if k == h * w then sync + 1 else sync)
    in (total, sync)) grids)

-- Polymers grown by pairs.
entry polymer [n][k] (steps: i32) (rules: [k][k]u8) (template: [n]u8) : [k]u64 =
  let pair (a: u8) (b: u8) = i64.u8 a * k + i64.u8 b
  let at = map2 pair (init template) (tail template)
  let counts = hist (+) 0u64 (k * k) at (map (const 1) at)
  let targets = flatten (tabulate_2d k k (\a b -> (a * k + i64.u8 rules[a, b], i64.u8 rules[a, b] * k + b)))
  let (left, right) = unzip targets
  let counts = loop counts for _s < steps do
    hist (+) 0 (k * k) (left ++ right) (counts ++ counts)
  let letters = map u64.sum (unflatten counts)
  in letters with [i64.u8 (last template)] = letters[i64.u8 (last template)] + 1

-- Words of packets of several kinds.
type packet = #literal u32 | #total u16 u16 | #nibbles [6]u8 | #skip

def decode (w: u32) : packet =
  let body = w & 0x03ffffff
  in match (w >> 26) & 7
     case 4 -> #literal body
     case 0 -> #total (u16.u32 (body >> 13)) (u16.u32 (body & 0x1fff))
     case 1 -> #nibbles (tabulate 6 (\i -> u8.u32 ((body >> u32.i64 (4 * i)) & 15)))
     case 2 -> #nibbles (tabulate 6 (\i -> u8.u32 ((body >> u32.i64 (4 * i + 1)) & 7)))
     case _ -> #skip

def value (p: packet) : u64 =
  match p
  case #literal x -> u64.u32 x
  case #total a b -> u64.u16 a + 3 * u64.u16 b
  case #nibbles d -> loop acc = 1 for x in d do acc * u64.u8 (x + 1) % 1000003
  case #skip -> 0

entry packets [n] (words: [n]u32) : ([8]u64, i64, u64) =
  let parsed = map decode words
  let values = map value parsed
  let versions = map (\w -> i64.u32 (w >> 29)) words
  let skipped = map (\p -> match p case #skip -> 1 case _ -> 0) parsed
  in (hist (+) 0 8 versions values, i64.sum skipped, u64.maximum values)

-- Two herds of sea cucumbers.
def eastward [h][w] (who: i8) (g: [h][w]i8) : [h][w]i8 =
  let ahead = map (rotate 1) g
  let behind = map (rotate (-1)) g
  let move c a b = if c == who && a == 0 then 0 else if c == 0 && b == who then who else c
  in map3 (map3 move) g ahead behind

entry cucumbers [h][w] (limit: i32) (floor: [h][w]i8) : ([h][w]i8, i32, i64) =
  let (g, steps, moved, _) =
    loop (g, steps, moved, go) = (floor, 0, 0, true) while go && steps < limit do
      let g' = g |> eastward 1 |> transpose |> eastward 2 |> transpose
      let k = i64.sum (map2 (\r s -> i64.sum (map2 (\a b -> i64.bool (a != b)) r s)) g g')
      in (g', steps + 1, moved + k, k > 0)
  in (g, steps, moved)

-- Pairs of hailstones whose future paths cross inside a square; all in whole numbers.
type stone = {x: i64, y: i64, u: i64, v: i64}

def crosses (lo: i64) (hi: i64) (a: stone) (b: stone) : bool =
  let det = a.u * b.v - a.v * b.u
  let t = (b.x - a.x) * b.v - (b.y - a.y) * b.u
  let s = (b.x - a.x) * a.v - (b.y - a.y) * a.u
  let sign = i64.sgn det
  let (det, t, s) = (det * sign, t * sign, s * sign)
  let inside p = p >= lo * det && p <= hi * det
  in det != 0 && t >= 0 && s >= 0 && inside (a.x * det + a.u * t) && inside (a.y * det + a.v * t)

entry hailstones [n] (lo: i64) (hi: i64) (xs: [n]i32) (ys: [n]i32) (us: [n]i8) (vs: [n]i8) : (i64, [n]i32) =
  let stones = map4 (\x y u v -> {x = i64.i32 x, y = i64.i32 y, u = i64.i8 u, v = i64.i8 v}) xs ys us vs
  let later i = i64.sum (map2 (\j b -> i64.bool (j > i && crosses lo hi stones[i] b)) (iota n) stones)
  let met i = i32.sum (map (\b -> i32.bool (crosses lo hi stones[i] b)) stones)
  in (i64.sum (map later (iota n)), map met (iota n))

-- Lenses in boxes: a focal length of 0 takes the lens with the label away.
entry lenses [n] (m: i64) (labels: [n]i32) (focals: [n]u8) : (i64, [256]i32) =
  let ls = map i64.i32 labels
  let ids = iota n
  let out p x i = if p then x else i
  let removed = hist i64.max (-1) m (map2 (\l f -> out (f == 0) l (-1)) ls focals) ids
  let stays = map3 (\l f i -> out (f > 0 && i > removed[l]) l (-1)) ls focals ids
  let entered = hist i64.min i64.highest m stays ids
  let lastset = hist i64.max (-1) m stays ids
  let box (l: i64) = ((l & 255) * 17 + (l >> 8) * 31) & 255
  let present = filter (\l -> lastset[l] >= 0) (iota m)
  let sorted = present |> radix_sort 24 (\l -> u32.i64 entered[l]) |> radix_sort 8 (\l -> u32.i64 (box l))
  let counts = hist (+) 0i32 256 (map box sorted) (map (const 1) sorted)
  let before = map2 (-) (scan (+) 0 counts) counts
  let power l i = (box l + 1) * (i - i64.i32 before[box l] + 1) * i64.u8 focals[lastset[l]]
  in (i64.sum (map2 power sorted (indices sorted)), counts)

-- Numbers of the monkey market, and the best two changes to sell at.
def mix (x: u32) : u32 =
  let x = (x ^ (x << 6)) & 0xffffff
  let x = (x ^ (x >> 5)) & 0xffffff
  in (x ^ (x << 11)) & 0xffffff

entry market [n] (steps: i64) (seeds: [n]u32) : (u64, i32, i64) =
  let walk (s: u32) =
    loop (x, prices) = (s & 0xffffff, replicate steps 0i8) for i < steps do
      let x = mix x
      in (x, prices with [i] = i8.u32 (x % 10))
  let (ends, prices) = unzip (map walk seeds)
  let first (p: [steps]i8) : [361]i32 =
    let code i = (i64.i8 (p[i+1] - p[i]) + 9) * 19 + i64.i8 (p[i+2] - p[i+1]) + 9
    let at = hist i64.min i64.highest 361 (map code (iota (steps - 2))) (iota (steps - 2))
    in map (\i -> if i == i64.highest then 0 else i32.i8 p[i + 2]) at
  let bananas = prices |> map first |> transpose |> map i32.sum
  let best (a, i) (b, j) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  let (most, where) = reduce best (i32.lowest, i64.highest) (zip bananas (iota 361))
  in (u64.sum (map u64.u32 ends), most, where)

-- A guard, with one obstacle more at each place.
type guard = {i: i64, j: i64, di: i64, dj: i64, out: bool, turns: i32}

entry patrol [h][w] (limit: i32) (lab: [h][w]u8) : ([h][w]i32, i64) =
  let wall = map (map (== 0)) lab
  let step (oi: i64) (oj: i64) (g: guard) : guard =
    let (i, j) = (g.i + g.di, g.j + g.dj)
    in if i < 0 || j < 0 || i >= h || j >= w
       then g with out = true
       else if wall[i, j] || (i == oi && j == oj)
            then g with di = g.dj with dj = -g.di with turns = g.turns + 1
            else g with i = i with j = j
  let walk oi oj =
    let (g, k) =
      loop (g, k) = ({i = h / 2, j = w / 2, di = -1, dj = 0, out = false, turns = 0}, 0)
      while !g.out && k < limit do
        (step oi oj g, k + 1)
    in if g.out then k else -g.turns
  let all_walks = tabulate_2d h w walk
  in (all_walks, i64.sum (map (\row -> i64.sum (map (\k -> i64.bool (k <= 0)) row)) all_walks))

-- Ways to lay designs of towels.
entry towels [n][l][p][m] (designs: [n][l]u8) (patterns: [p][m]u8) (sizes: [p]u8) : (i64, u64) =
  let fits (design: [l]u8) (at: i64) (pattern: [m]u8) (size: i64) : bool =
    size <= at && (loop ok = true for k < size do
                     ok && design[at - size + k] == pattern[k])
  let ways (design: [l]u8) : u64 =
    let table = loop table = replicate (l + 1) 0 with [0] = 1 for i in 1...l do
      let w = u64.sum (map2 (\pattern s ->
                let size = i64.u8 s
                in if fits design i pattern size then table[i - size] else 0) patterns sizes)
      in table with [i] = w
    in table[l]
  let counts = map ways designs
  in (i64.sum (map (\c -> i64.bool (c > 0)) counts), u64.sum counts)
