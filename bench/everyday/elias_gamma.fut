-- Elias gamma codes of a stream of numbers, packed into 32-bit words, with the bit offset of every 128th number.
def main [n] (xs: [n]u16) : (i64, []u32, []i64) =
  -- skew the numbers, so that most codes are short
  let vals = map (\x -> 1 + (u64.u16 (x & 0xfff) >> u64.u16 (x >> 12))) xs
  let bits = map (\v -> 64 - i64.i32 (u64.clz v)) vals
  let lens = map (\b -> 2 * b - 1) bits
  let ends = scan (+) 0 lens
  let total = ends[n - 1]
  let starts = map2 (-) ends lens
  let words = (total + 31) / 32
  -- a code is at most 31 bits: it touches one or two words (the first bit is the top one)
  let parts =
    map3 (\v l s ->
            let off = s % 32
            let wide = v << u64.i64 (64 - off - l)
            in ((s / 32, u32.u64 (wide >> 32)), (s / 32 + 1, u32.u64 wide)))
         vals lens starts
  let (hi, lo) = unzip parts
  let (is, ws) = unzip (hi ++ lo)
  let out = reduce_by_index (replicate words 0) (|) 0 is ws
  let index = tabulate ((n + 127) / 128) (\i -> starts[i * 128])
  in (total, out, index)
