-- Move-to-front coding of blocks over 64 symbols, each block with a table of its own, and the zero runs counted.
def sigma = 64i64

def find (table: [sigma]u8) (c: u8) : i64 =
  loop i = 0 while i < sigma - 1 && table[i] != c do i + 1

def to_front (table: *[sigma]u8) (p: i64) (c: u8) : *[sigma]u8 =
  let moved = loop t = table for q < p do
                let i = p - q
                let v = t[i - 1]
                in t with [i] = v
  in moved with [0] = c

def block [n] (xs: [n]u8) : [n]u8 =
  (loop (table, out) = (map u8.i64 (iota sigma), replicate n 0u8) for i < n do
     let c = xs[i]
     let p = find table c
     let out[i] = u8.i64 p
     in (to_front table p c, out)).1

entry main [b] [n] (blocks: [b][n]u8) : ([b][n]u8, [sigma]i32, [b]i32) =
  -- skewed symbols: products of small numbers
  let syms = map (map (\c -> ((c & 15) * (c >> 6)) & 63)) blocks
  let coded = map block syms
  let freq = hist (+) 0i32 sigma (map i64.u8 (flatten coded)) (replicate (b * n) 1)
  let runs = map (\r -> i32.sum (tabulate n (\i -> i32.bool (r[i] == 0 && (i == 0 || r[i - 1] != 0))))) coded
  in (coded, freq, runs)
