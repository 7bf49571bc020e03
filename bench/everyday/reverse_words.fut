-- Text: order of the words reversed with their letters kept, word lengths counted, first letters made capitals, by scans.
def is_space (c: u8) = c == 32

def segmented 't [n] (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  (unzip (scan (\(f, a) (g, b) -> (f || g, if g then b else op a b)) (false, ne) (zip flags xs))).1

entry main [n] (raw: [n]u8) : ([n]u8, [32]i64, i64) =
  let text = map (\b -> if b < 44 then 32u8 else 97 + b % 26) raw
  let space = map is_space text
  -- A piece is a word or a single blank; pieces change places, letters inside do not.
  let head = map (\i -> i == 0 || space[i] || space[i - 1]) (iota n)
  let offset = map (\k -> k - 1) (segmented (+) 0 head (replicate n 1i64))
  let last = map (\i -> i == n - 1 || head[i + 1]) (iota n)
  let lens = reverse (segmented i64.max 0 (reverse last) (reverse (map (+ 1) offset)))
  let dest = map3 (\i o l -> n - (i - o) - l + o) (iota n) offset lens
  let shout = map3 (\c h s -> if h && !s then c - 32 else c) text head space
  let out = scatter (replicate n 0u8) dest shout
  let words = map2 (\h s -> h && !s) head space
  let sizes = map2 (\w l -> if w then i64.min 31 l else -1) words lens
  in (out, hist (+) 0 32 sizes (replicate n 1), i64.sum (map i64.bool words))
