-- Cleans text: capitals at words' starts and small letters after, runs of blanks made one; and the histogram of the words' lengths.
def is_space (c: u8) = c == ' '
def upper (c: u8) : u8 = if c >= 'a' && c <= 'z' then c - 32 else c
def lower (c: u8) : u8 = if c >= 'A' && c <= 'Z' then c + 32 else c

def to_char (b: u8) : u8 =
  let k = b % 64
  in if k < 10 then ' ' else if k < 36 then 'a' + (k - 10) else if k < 62 then 'A' + (k - 36) else '-'

def prev [n] 't (d: t) (xs: [n]t) : [n]t = map (\i -> if i > 0 then xs[i - 1] else d) (iota n)

entry main [n] (raw: [n]u8) : ([]u8, [16]i64, i64) =
  let s = map to_char raw
  let before = prev ' ' s
  let cased = map2 (\c p -> if is_space p || p == '-' then upper c else lower c) s before
  let keep = map2 (\c p -> !(is_space c && is_space p)) s before
  let (text, _) = unzip (filter (.1) (zip cased keep))
  -- where each word began, by a running maximum
  let starts = scan i64.max (-1) (map3 (\i c p -> if !is_space c && is_space p then i else -1) (iota n) s before)
  let ends = map (\i -> !is_space s[i] && (i == n - 1 || is_space s[i + 1])) (iota n)
  let bins = map3 (\i e st -> if e then i64.min 15 (i - st + 1) else -1) (iota n) ends starts
  let lengths = hist (+) 0 16 bins (replicate n 1)
  in (text, lengths, i64.sum lengths)
