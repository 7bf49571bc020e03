-- Canonical k-mers (the lesser of a word and its reverse complement) of a sequence counted, with entropy and the most frequent.
def word [n] (s: [n]u8) (k: i64) (i: i64) : (i64, i64) =
  loop (f, r) = (0, 0) for j < k do
    let b = i64.u8 (s[i + j] & 3)
    in ((f << 2) | b, r | ((3 - b) << (2 * j)))

entry main [n] (k: i64) (s: [n]u8) : ([]i32, f64, i64, i32) =
  let m = i64.max 0 (n - k + 1)
  let canon = tabulate m (\i -> let (f, r) = word s k i in i64.min f r)
  let counts = hist (+) 0i32 (1 << (2 * k)) canon (replicate m 1)
  let total = f64.i64 m
  let h = f64.sum (map (\c -> if c == 0 then 0 else let q = f64.i32 c / total in -q * f64.log2 q) counts)
  let (top, at) = reduce (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
                         (-1, i64.highest) (zip counts (indices counts))
  in (counts, h, at, top)
