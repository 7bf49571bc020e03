-- rANS entropy coder: histogram, normalised frequencies, each chunk encoded then decoded again; bytes per chunk and errors.
def bits : u32 = 12
def whole : u32 = 4096
def low : u32 = 1 << 16

-- Frequencies that sum to 4096, none zero.
def normalise (counts: [256]i64) : [256]u32 =
  let n = i64.max 1 (i64.sum counts)
  let spare = i64.u32 whole - 256
  let f = map (\c -> 1 + c * spare / n) counts
  let rest = i64.u32 whole - i64.sum f
  let (best, _) = reduce (\(i, a) (j, b) -> if b > a || (b == a && j < i) then (j, b) else (i, a)) (0, -1) (zip (iota 256) f)
  in map2 (\i v -> u32.i64 (if i == best then v + rest else v)) (iota 256) f

def encode [n][m] (freq: [256]u32) (start: [256]u32) (xs: [n]u8) (out: *[m]u16) : (u32, i64, *[m]u16) =
  loop (x, k, out) = (low, 0, out) for i < n do
    let s = i64.u8 xs[n - 1 - i]
    let (f, c) = (freq[s], start[s])
    let spill = x >= f << (32 - bits)
    let (x, k, out) = if spill then (x >> 16, k + 1, out with [k] = u16.u32 (x & 0xffff)) else (x, k, out)
    in ((x / f) * whole + x % f + c, k, out)

def decode [m] (n: i64) (freq: [256]u32) (start: [256]u32) (symbol: [4096]u8) (x0: u32) (k0: i64) (words: [m]u16) : [n]u8 =
  let (_, _, ys) =
    loop (x, k, ys) = (x0, k0, replicate n 0u8) for i < n do
      let slot = x & (whole - 1)
      let s = symbol[i64.u32 slot]
      let x = freq[i64.u8 s] * (x >> bits) + slot - start[i64.u8 s]
      let (x, k) = if x < low && k > 0 then ((x << 16) | u32.u16 words[k - 1], k - 1) else (x, k)
      in (x, k, ys with [i] = s)
  in ys

entry main [c][n] (data: [c][n]u8) : ([c]i64, i64, [256]u32) =
  let skew (b: u8) = if b < 128 then b & 7 else if b < 224 then b & 63 else b
  let text = map (map skew) data
  let counts = reduce_by_index (replicate 256 0i64) (+) 0 (map i64.u8 (flatten text)) (replicate (c * n) 1)
  let freq = normalise counts
  let ends = scan (+) 0 freq
  let start = map2 (-) ends freq
  let owner = reduce_by_index (replicate 4096 0u8) u8.max 0 (map i64.u32 start) (map u8.i64 (iota 256))
  let symbol = scan u8.max 0 owner
  let one xs =
    let (x, k, words) = encode freq start xs (replicate n 0u16)
    let back = decode n freq start symbol x k words
    let wrong = i64.sum (map2 (\a b -> i64.bool (a != b)) xs back)
    in (2 * k + 4, wrong)
  let (sizes, wrong) = unzip (map one text)
  in (sizes, i64.sum wrong, freq)
