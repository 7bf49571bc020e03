-- Perfect binary Golay code: encode 12-bit words, flip up to three bits, decode by a table of all 2048 syndromes built with one scatter.
def gen : u32 = 0xC75
def remainder (x: u32) : u32 =
  loop x for i in 22..21...11 do
    if u32.get_bit i x == 1 then x ^ (gen << u32.i32 (i - 11)) else x

entry main [n] (msg: [n]u16) (e1: [n]u8) (e2: [n]u8) (e3: [n]u8) : ([n]u16, i64, [4]i64) =
  let bit (e: i64) : u32 = 1 << u32.i64 e
  let patterns = flatten_3d (tabulate_3d 23 23 23 (\i j k -> bit i | bit j | bit k))
  let table = scatter (replicate 2048 0u32) (map (\p -> i64.u32 (remainder p)) patterns) patterns
  let encode (m: u16) : u32 = let x = u32.u16 (m & 0xFFF) << 11 in x | remainder x
  let noisy w a b c =
    let hit e = if e < 184 then bit (i64.u8 e % 23) else 0
    in w ^ hit a ^ hit b ^ hit c
  let word = map encode msg
  let recv = map4 noisy word e1 e2 e3
  let err = map (\r -> table[i64.u32 (remainder r)]) recv
  let out = map2 (\r e -> u16.u32 ((r ^ e) >> 11)) recv err
  let bad = i64.sum (map2 (\o m -> i64.bool (o != m & 0xFFF)) out msg)
  in (out, bad, hist (+) 0 4 (map (\e -> i64.i32 (u32.popc e)) err) (replicate n 1))
