-- Two-bit branch predictor replayed in parallel: stable sort by address, segmented scan of state functions, mispredictions per address.
-- A function on the four counter states is packed into a byte, two bits a state.
def apply (f: u8) (s: u8) : u8 = (f >> (2 * s)) & 3
def compose (f: u8) (g: u8) : u8 =   -- first f, then g
  apply g (apply f 0) | (apply g (apply f 1) << 2) | (apply g (apply f 2) << 4) | (apply g (apply f 3) << 6)
def ident : u8 = 0b11100100
def up : u8 = 0b11111001      -- 0->1 1->2 2->3 3->3
def down : u8 = 0b10010000    -- 0->0 1->0 2->1 3->2

def split [n] 't (bit: t -> bool) (xs: [n]t) : [n]t =
  let ones = map (\x -> i64.bool (bit x)) xs
  let before = scan (+) 0 ones
  let zeros = n - (if n > 0 then before[n - 1] else 0)
  let dest = map3 (\i o b -> if o == 1 then zeros + b - 1 else i - b) (iota n) ones before
  in scatter (copy xs) dest xs

def main [n] (bits: i32) (pc: [n]u16) (taken: [n]u8) =
  let b = i32.max 1 (i32.min 12 bits)
  let size = 1i64 << i64.i32 b
  let br = map2 (\p t -> (p & u16.i64 (size - 1), (u8.u16 (p >> 4) ^ t) % 5 < 3)) pc taken
  let sorted = loop s = br for k < b do split (\(p, _) -> (p >> u16.i32 k) & 1 == 1) s
  let (addr, way) = unzip sorted
  let head = tabulate n (\i -> i == 0 || addr[i] != addr[i - 1])
  let fs = map (\t -> if t then up else down) way
  let (_, incl) = unzip (scan (\(h1, f) (h2, g) -> (h1 || h2, if h2 then g else compose f g)) (false, ident) (zip head fs))
  let state = tabulate n (\i -> if head[i] then 1u8 else apply incl[i - 1] 1)
  let miss = map2 (\s t -> i32.bool ((s >= 2) != t)) state way
  let key = map i64.u16 addr
  let total = reduce_by_index (replicate size 0) (+) 0 key (replicate n 1i32)
  let bad = reduce_by_index (replicate size 0) (+) 0 key miss
  let worst = reduce (\(a, i) (b, j) -> if b > a || (b == a && j < i) then (b, j) else (a, i)) (-1, 0) (zip bad (iota size))
  in (total, bad, worst.0, worst.1, i32.sum miss)
