-- CRC-32 (IEEE, reflected) of many messages, the table made first, and a checksum of the checksums.
def table : [256]u32 =
  tabulate 256 (\i ->
    loop c = u32.i64 i for _k < 8i32 do
      if c & 1 == 1 then (c >> 1) ^ 0xEDB88320 else c >> 1)

def crc [l] (t: [256]u32) (msg: [l]u8) : u32 =
  !(loop c = 0xFFFFFFFFu32 for b in msg do
      t[i64.u32 ((c ^ u32.u8 b) & 0xff)] ^ (c >> 8))

entry main [n] [l] (msgs: [n][l]u8) : ([n]u32, u32, i64) =
  let t = copy table
  let cs = map (crc t) msgs
  let odd = map (\c -> i64.bool (u32.popc c % 2 == 1)) cs
  in (cs, reduce (^) 0 cs, i64.sum odd)
