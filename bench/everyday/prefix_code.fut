-- Bytes to a prefix code (Elias' gamma over folded symbols), packed into words at bit offsets from a scan, and every 1024th offset kept.
def fold (c: u8) : u32 = 1 + u32.u8 (if c < 128 then c / 4 else (255 - c) / 2)
def code_len (x: u32) : i64 = i64.i32 (2 * (31 - u32.clz x) + 1)

-- The code of length l lies in the high bits of 64.
def placed (x: u32) (l: i64) : u64 = u64.u32 x << u64.i64 (64 - l)

entry main [n] (text: [n]u8) : ([]u32, i64, []i64) =
  let table = tabulate 256 (\c -> let x = fold (u8.i64 c) in (x, code_len x))
  let (syms, lens) = unzip (map (\c -> table[i64.u8 c]) text)
  let ends = scan (+) 0 lens
  let total = if n == 0 then 0 else last ends
  let starts = map2 (-) ends lens
  let words = (total + 31) / 32 + 1
  let pieces = map3 (\x l s ->
                       let w = placed x l >> u64.i64 (s & 31)
                       in ((s >> 5, u32.u64 (w >> 32)), ((s >> 5) + 1, u32.u64 w)))
                    syms lens starts
  let (hi, lo) = unzip pieces
  let put (dest: *[words]u32) (ps: [n](i64, u32)) : *[words]u32 =
    let (is, vs) = unzip ps
    in reduce_by_index dest (|) 0 is vs
  let out = put (put (replicate words 0) hi) lo
  let marks = map (\b -> starts[b * 1024]) (iota ((n + 1023) / 1024))
  in (out, total, marks)
