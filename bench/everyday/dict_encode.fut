-- Dictionary encoding of an integer column, then frame-of-reference bit widths per block of 32 codes.
def universe = 1i64 << 18

def exscan [n] (xs: [n]i32) : ([n]i32, i32) =
  let s = scan (+) 0 xs
  in (map2 (-) s xs, if n == 0 then 0 else s[n - 1])

def bits (x: i32) : i32 = 32 - i32.clz x

entry main [n] (col: [n]i32) : ([]i32, [n]i32, []i32, []u8, i64) =
  let raw = map (\x -> let y = u32.i32 x >> 14
                       in i64.u32 (y ^ (y >> 3) * 5) & (universe - 1)) col
  let present = scatter (replicate universe 0i32) raw (replicate n 1)
  let (code_of, k) = exscan present
  let dict = (unzip (filter (\(_, p) -> p == 1) (zip (map i32.i64 (iota universe)) present))).0
  let codes = map (\r -> code_of[r]) raw
  -- The last block is padded with the last code.
  let nb = (n + 31) / 32
  let block b =
    let xs = tabulate 32 (\j -> codes[i64.min (n - 1) (b * 32 + j)])
    let (lo, hi) = reduce (\(a, b) (c, d) -> (i32.min a c, i32.max b d)) (i32.highest, i32.lowest) (zip xs xs)
    in (lo, u8.i32 (bits (hi - lo)))
  let (bases, widths) = unzip (tabulate nb block)
  let size = reduce (+) 0 (map (\w -> 5 + 32 * i64.u8 w) widths)
  in (dict, codes, bases, widths, size + 32 * i64.i32 k)
