-- Differences of successive values, zigzag-coded and written as variable-length bytes of seven bits (LEB128).
def zigzag (x: i32) : u32 = u32.i32 ((x << 1) ^ (x >> 31))

def n_bytes (z: u32) : i64 =
  i64.i32 (i32.max 1 ((32 - u32.clz z + 6) / 7))

def exscan [n] (xs: [n]i64) : [n]i64 =
  let s = scan (+) 0 xs
  in map2 (-) s xs

entry main [n] (shift: i32) (data: [n]i32) : ([]u8, [6]i64) =
  let vals = map (>> shift) data
  let deltas = tabulate n (\i -> if i == 0 then vals[0] else vals[i] - vals[i - 1])
  let zs = map zigzag deltas
  let lens = map n_bytes zs
  let offs = exscan lens
  let total = i64.sum lens
  let emit (z: u32) (l: i64) (o: i64) : [5](i64, u8) =
    tabulate 5 (\k ->
      if k >= l then (-1, 0)
      else let more = if k < l - 1 then 0x80u8 else 0
           in (o + k, u8.u32 ((z >> (7 * u32.i64 k)) & 0x7f) | more))
  let (is, bs) = unzip (flatten (map3 emit zs lens offs))
  let out = scatter (replicate total 0u8) is bs
  let histogram = hist (+) 0 6 lens (replicate n 1i64)
  in (out, histogram)
