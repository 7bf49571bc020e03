-- Idioms of array languages.

-- An inner product with any two operators.
def inner [n][m][k] 'a 'b 'c (f: c -> c -> c) (ne: c) (g: a -> b -> c) (x: [n][k]a) (y: [k][m]b) : [n][m]c =
  map (\row -> map (\col -> reduce f ne (map2 g row col)) (transpose y)) x

def outer [n][m] 'a 'b 'c (f: a -> b -> c) (xs: [n]a) (ys: [m]b) : [n][m]c =
  map (\x -> map (f x) ys) xs

entry inner_products [n][m][k] (a: [n][k]f32) (b: [k][m]f32) : ([n][m]f32, [n][m]f32, [n][m]bool) =
  let shortest = inner f32.min f32.inf (+) a b
  let widest = inner f32.max (-f32.inf) f32.min a b
  let linked = inner (||) false (&&) (map (map (> 0.95)) a) (map (map (> 0.95)) b)
  in (shortest, widest, linked)

-- Grade up and down by counting who is smaller.
entry grades [n] (xs: [n]i32) : ([n]i64, [n]i64, [n]i32) =
  let rank x i = i64.sum (map2 (\y j -> i64.bool (y < x || (y == x && j < i))) xs (iota n))
  let ranks = map2 rank xs (iota n)
  let up = scatter (replicate n 0) ranks (iota n)
  let sorted = map (\i -> xs[i]) up
  in (up, ranks, sorted)

-- Reversals, rotations and transpositions of rank four.
def transpose_in [a][b][c] 't (x: [a][b][c]t) : [a][c][b]t = map transpose x

entry shuffle4 [a][b][c][d] (by: i64) (x: [a][b][c][d]i16) : ([c][a][d][b]i16, [b][d]i32) =
  let turned = reverse x |> map (map (rotate by)) |> map (map (map reverse))
  let y = turned            -- a b c d
          |> transpose_in   -- a c b d
          |> transpose      -- c a b d
          |> map transpose_in
  let sums = transpose turned |> map (\p -> map (\col -> i32.sum (map i32.i16 col)) (transpose (flatten p)))
  in (y, sums)

-- Replicate: each value so many times, with its place among its copies.
def replicated [n] 't (counts: [n]i64) (xs: [n]t) : [](t, i64) =
  let ends = scan (+) 0 counts
  let total = if n == 0 then 0 else ends[n - 1]
  let starts = map2 (-) ends counts
  let at = map2 (\c s -> if c > 0 then s else -1) counts starts
  let flags = scatter (replicate total false) at (replicate n true)
  let owner = scatter (replicate total 0) at (iota n)
  let op (f, o) (g, p) = (f || g, if g then p else o)
  let owners = scan op (false, 0) (zip flags owner) |> map (.1)
  in map2 (\o i -> (xs[o], i - starts[o])) owners (iota total)

entry compress_expand [n] (counts: [n]u8) (xs: [n]f32) : ([]f32, []i32) =
  let copies = replicated (map i64.u8 counts) xs
  in unzip (map (\(x, i) -> (x * f32.i64 (i + 1), i32.i64 i)) copies)

-- Runs and their lengths, and the longest run of each value.
entry run_lengths [n] (xs: [n]u8) : ([]u8, []i64, [256]i64) =
  let starts = map (\i -> i == 0 || xs[i] != xs[i - 1]) (iota n)
  let at = map (.0) (filter (.1) (zip (iota n) starts))
  let k = length at
  let lens = map (\i -> (if i + 1 < k then at[i + 1] else n) - at[i]) (iota k)
  let values = map (\i -> xs[at[i]]) (iota k)
  let longest = reduce_by_index (replicate 256 0) i64.max 0 (map i64.u8 values) lens
  in (values, lens, longest)

-- Reductions of every k neighbours, and the largest fall from a running maximum.
entry nwise [n][m] (k: i64) (xs: [n][m]f32) : ([][]f32, [][]f32, [n]f32) =
  let w = m - k + 1
  let each f ne row = map (\i -> reduce f ne (map (\j -> row[i + j]) (iota k))) (iota w)
  let sums = map (each (+) 0) xs
  let tops = map (each f32.max (-f32.inf)) xs
  let falls = map (\row -> f32.maximum (map2 (-) (scan f32.max (-f32.inf) row) row)) xs
  in (sums, tops, falls)

-- Encode in a mixed radix, reverse the digits, and decode.
entry mixed_radix [n][k] (radices: [k]i64) (xs: [n]i64) : ([k][n]u8, [n]i64) =
  let weights r = reverse (scan (*) 1 (reverse (rotate 1 (map2 (\i x -> if i == 0 then 1 else x) (iota k) r))))
  let ws = weights radices
  let digits = outer (\(r, w) x -> x / w % r) (zip radices ws) xs
  let back = weights (reverse radices)
  let decoded = map (\col -> i64.sum (map2 (*) back (reverse col))) (transpose digits)
  in (map (map u8.i64) digits, decoded)

-- Two bits at a time.
def sort_by [n] 't (bits: i32) (key: t -> u64) (xs: [n]t) : [n]t =
  loop xs for b < (bits + 1) / 2 do
    let ds = map (\x -> (key x >> u64.i32 (2 * b)) & 3) xs
    let one d = map (\e -> i64.bool (d == e)) [0, 1, 2, 3]
    let places = scan (map2 (+)) (replicate 4 0) (map one ds)
    let sizes = if n == 0 then replicate 4 0 else places[n - 1]
    let base = map2 (-) (scan (+) 0 sizes) sizes
    let at = map2 (\d p -> base[i64.u64 d] + p[i64.u64 d] - 1) ds places
    in scatter (copy xs) at xs

-- Key: groups by a number.
entry key_groups [n] (keys: [n]i32) (xs: [n]f64) : ([]i32, []f64, []f64, []i64) =
  let (ks, ys) = unzip (sort_by 24 (\(k, _) -> u64.i32 k) (zip keys xs))
  let new = map (\i -> i == 0 || ks[i] != ks[i - 1]) (iota n)
  let group = map (\s -> s - 1) (scan (+) 0 (map i64.bool new))
  let groups = if n == 0 then 0 else group[n - 1] + 1
  let unique_keys = map (.0) (filter (.1) (zip ks new))
  let sums = hist (+) 0 groups group ys
  let tops = hist f64.max (-f64.inf) groups group ys
  let counts = hist (+) 0 groups group (replicate n 1)
  in (unique_keys, map2 (/) sums (map f64.i64 counts), tops, counts)

-- The game of life by nine rotations.
entry life [h][w] (steps: i32) (world: [h][w]bool) : ([h][w]bool, [h]i64) =
  let turns = flatten (outer (\a b -> (a, b)) [-1, 0, 1] [-1, 0, 1])
  let step g =
    let cells = map (map i8.bool) g
    let moved = map (\(a, b) -> rotate a (map (rotate b) cells)) turns
    let sums = reduce (map2 (map2 (+))) (replicate h (replicate w 0)) moved
    in map2 (map2 (\c s -> s == 3 || (c && s == 4))) g sums
  let world = iterate steps step world
  in (world, map (\row -> i64.sum (map i64.bool row)) world)

-- Division of matrices by Gauss-Jordan, for many at once.
def divide [n][m] (a: [n][n]f64) (b: [n][m]f64) : [n][m]f64 =
  let both = map2 (++) a b
  let done = loop both for k < n do
    let pivot = map (/ both[k, k]) both[k]
    in map2 (\i row -> if i == k then pivot
                       else map2 (\x p -> x - row[k] * p) row pivot) (iota n) both
  in map (\row -> map (\j -> row[n + j]) (iota m)) done

entry matrix_divide [b][n][m] (as: [b][n][n]f64) (bs: [b][n][m]f64) : [b][n][m]f64 =
  let heavy a = map2 (\i row -> map2 (\j x -> if i == j then x + f64.i64 n else x) (iota n) row) (iota n) a
  in map2 divide (map heavy as) bs

-- Classes of anagrams by the sorted letters of words.
entry anagrams [n][l] (words: [n][l]u8) : (i64, i64, u64) =
  let sort_word (w: [l]u8) : [l]u8 =
    loop w = copy w for i in 1..<l do
      let (w, _) = loop (w, j) = (w, i) while j > 0 && w[j - 1] > w[j] do
        let (a, b) = (w[j - 1], w[j])
        in (w with [j - 1] = b with [j] = a, j - 1)
      in w
  let code w = foldl (\acc c -> acc * 27 + u64.u8 c + 1) 0 (sort_word w)
  let codes = sort_by 30 id (map code words)
  let new = map2 (!=) codes (rotate (-1) codes) with [0] = true
  let class = map (\s -> s - 1) (scan (+) 0 (map i64.bool new))
  let counts = hist (+) 0 (last class + 1) class (replicate n 1i64)
  let largest = i64.maximum counts
  let first = filter (\i -> counts[class[i]] == largest) (iota n) |> head
  in (length (filter (> 1) counts), largest, codes[first])

-- Diagonals of Pascal's triangle, or any other first row, by sums of sums.
entry pascal [m] (k: i64) (p: u64) (first: [m]u32) : ([k][m]u32, [k]i64) =
  let add a b = let s = a + b in if s >= p then s - p else s
  let (rows, _) =
    loop (rows, row) = (replicate k (replicate m 0u32), map (\x -> u64.u32 x % p) first) for i < k do
      let row = scan add 0 row
      in (rows with [i] = map u32.u64 row, row)
  let zeros = map (\row -> i64.sum (map (\x -> i64.bool (x == 0)) row)) rows
  in (rows, zeros)
