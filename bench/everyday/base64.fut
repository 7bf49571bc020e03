-- Bytes as base 64.
def main [n] (bytes: [n]u8) : []u8 =
  let code (v: u8) : u8 = if v < 26 then 65 + v else if v < 52 then 71 + v else if v < 62 then v - 4 else if v == 62 then 43 else 47
  in map (\i ->
      let k = i / 4 * 3
      let v = (u32.u8 bytes[k] << 16) | (u32.u8 bytes[k+1] << 8) | u32.u8 bytes[k+2]
      in code (u8.u32 ((v >> u32.i64 (18 - 6 * (i % 4))) & 63))) (iota (n / 3 * 4))
