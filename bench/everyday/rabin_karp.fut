-- Rabin-Karp: prefix hashes by a scan of affine maps modulo 2^31-1, the windows' hashes compared with the pattern's, hits verified.
def p : u64 = 0x7fffffff
def mulmod (a: u64) (b: u64) : u64 = (a * b) % p

-- x -> a*x + b
type affine = (u64, u64)
def compose ((a, b): affine) ((c, d): affine) : affine = (mulmod a c, (mulmod b c + d) % p)

def prefix [n] (base: u64) (s: [n]u8) : ([n]u64, [n]u64) =
  unzip (scan compose (1, 0) (map (\c -> (base, u64.u8 c + 1)) s))

entry main [n] [m] (alphabet: u8) (text: [n]u8) (pattern: [m]u8) =
  let base = 911382323u64 % p
  let text = map (% alphabet) text
  let pattern = map (% alphabet) pattern
  let (_, h) = prefix base text
  let (pw, ph) = prefix base pattern
  let want = ph[m - 1]
  let window i =
    let before = if i == 0 then 0 else h[i - 1]
    in (h[i + m - 1] + p - mulmod before pw[m - 1]) % p
  let candidates = filter (\i -> window i == want) (iota (i64.max 0 (n - m + 1)))
  let check i = all id (tabulate m (\j -> text[i + j] == pattern[j]))
  let ok = map check candidates
  let found = i64.sum (map i64.bool ok)
  let gaps = map2 (\a i -> if i == 0 then a else a - candidates[i - 1]) candidates (indices candidates)
  in (found, length candidates - found, i64.maximum gaps, h[n - 1])
