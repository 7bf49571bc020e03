-- Transcodes UTF-16 to UTF-8; unpaired surrogates become U+FFFD.
def is_high (c: u16) = c >= 0xd800 && c < 0xdc00
def is_low (c: u16) = c >= 0xdc00 && c < 0xe000

def encode (c: u32) : (i64, [4]u8) =
  let tail (s: u32) = 0x80 | u8.u32 ((c >> s) & 0x3f)
  in if c < 0x80 then (1, [u8.u32 c, 0, 0, 0])
     else if c < 0x800 then (2, [0xc0 | u8.u32 (c >> 6), tail 0, 0, 0])
     else if c < 0x10000 then (3, [0xe0 | u8.u32 (c >> 12), tail 6, tail 0, 0])
     else (4, [0xf0 | u8.u32 (c >> 18), tail 12, tail 6, tail 0])

def main [n] (raw: [n]u16) : (i64, i64, []u8) =
  -- one in four units ASCII, some more from the surrogate range
  let units =
    map (\c -> if c % 4 == 0 then (c >> 8) & 0x7f
               else if c % 16 == 1 then 0xd800 | (c >> 6)
               else if c % 16 == 2 then 0xdc00 | (c >> 6)
               else c)
        raw
  let at i = if i < 0 || i >= n then 0 else units[i]
  let scalar i : u32 =
    let c = units[i]
    in if is_high c
       then if is_low (at (i + 1))
            then 0x10000 + ((u32.u16 c & 0x3ff) << 10) + (u32.u16 (at (i + 1)) & 0x3ff)
            else 0xfffd
       else if is_low c then 0xfffd
       else u32.u16 c
  let skip i = is_low units[i] && is_high (at (i - 1))
  let (lens, bytes) =
    unzip (tabulate n (\i -> if skip i then (0, [0, 0, 0, 0]) else encode (scalar i)))
  let ends = scan (+) 0 lens
  let total = if n == 0 then 0 else last ends
  let targets = map2 (\e l -> tabulate 4 (\k -> if k < l then e - l + k else -1)) ends lens
  let out = scatter (replicate total 0u8) (flatten targets) (flatten bytes)
  let bad = i64.sum (tabulate n (\i -> i64.bool (!(skip i) && scalar i == 0xfffd)))
  in (total, bad, out)
