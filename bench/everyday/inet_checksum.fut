-- Internet checksums (one's complement sum of 16-bit words) of packets of very different lengths in one buffer.
def oadd (a: u16) (b: u16) : u16 =
  let s = u32.u16 a + u32.u16 b
  in u16.u32 ((s & 0xffff) + (s >> 16))

def segscan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  let (_, ys) =
    unzip (scan (\(f1, a) (f2, b) -> (f1 || f2, if f2 then b else a `op` b)) (false, ne) (zip flags xs))
  in ys

def main [n] [p] (lens: [p]u8) (buf: [n]u16) : ([p]u16, i64) =
  -- lengths in words: mostly short, now and then 1500 bytes; packets beyond the buffer are empty
  let len x = if x < 200 then 10 + i64.u8 (x % 32) else if x < 216 then 0 else 750
  let ends = map (i64.min n) (scan (+) 0 (map len lens))
  let starts = map (\i -> if i == 0 then 0 else ends[i - 1]) (iota p)
  let swap (w: u16) = (w << 8) | (w >> 8)
  let flags = reduce_by_index (replicate n false) (||) false starts (replicate p true)
  let sums = segscan oadd 0 flags (map swap buf)
  let checks = map2 (\s e -> if e > s then !(sums[e - 1]) else 0xffff) starts ends
  in (checks, i64.sum (map (\c -> i64.bool (c & 0x8000 != 0)) checks))
